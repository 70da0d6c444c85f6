package io.gpusched.bench.core;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.policy.HeadRanker;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.core.queue.WaitClass;
import io.gpusched.core.state.ClusterState;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// One ranking of the first heads of a long queue by a model, on a full cluster.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Rankings {
    public static final int NODES = 1_000;
    public static final int WAITING = 10_000;
    static final int HIDDEN = 64;
    private static final int PER_CALL = 1_000;

    private final ArrayDeque<AttemptId> running = new ArrayDeque<>();
    private final float[] scores = new float[Ranking.HEADS];
    private CycleResult.Work work = CycleResult.Work.NONE;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Cell cell = cell();
    private HeadRanker ranker = model().ranker();

    /// A model of random weights: what it prefers does not change what it costs.
    private static ScoreModel model() {
        var random = new SplittableRandom(1);
        int[] sizes = {HeadEncoder.FEATURES, HIDDEN, HIDDEN, 1};
        var weights = new float[ScoreModel.weightsOf(sizes)];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextDouble(-0.3, 0.3);
        }
        return new ScoreModel(HeadEncoder.VERSION, sizes, weights);
    }

    private Cell cell() {
        PolicySettings rules = PolicySettings.DEFAULT.with(LearnedSettings.NONE.with(model()));
        EngineSettings settings = EngineSettings.builder().policy(rules).build();
        var engine =
                new Engine(
                        Objects.requireNonNull(Policies.named("learned", settings.policy())),
                        settings);
        return Cell.detached(engine, this::concluded);
    }

    @Setup
    public void prepare() {
        prepare(NODES, WAITING);
    }

    /// Fills the nodes, and lets this many jobs wait, each with a time limit of its own.
    void prepare(int nodes, int waiting) {
        var source = new JobSource(5, 20, 1, 1, 2, 4, 8);
        cell = cell();
        cell.takeCharge(1, "bench", "bench", now);
        cell.handle(Testbed.opening(nodes, source.tenants()), now);
        int made = 0;
        while (cell.engine().state().waitingJobs() < waiting) {
            var inputs = new ArrayList<Input>();
            for (int i = 0; i < Math.min(PER_CALL, waiting); i++) {
                JobSpec spec = source.asKept().withLimit(limit(made++));
                inputs.add(Testbed.submit(spec));
            }
            handle(inputs);
        }
        ranker = Objects.requireNonNull(cell.engine().policy().ranking()).ranker();
        work = CycleResult.Work.NONE;
    }

    private static Duration limit(int made) {
        return Duration.ofSeconds(600 + (made * 7919L) % 100_003);
    }

    private void handle(List<Input> inputs) {
        now = now.plusMillis(100);
        cell.handle(inputs, now);
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        work = work.plus(cycleResult.work());
        for (Event event : batch.decided()) {
            if (event instanceof Event.AttemptPlaced placed) {
                running.add(placed.attempt());
            }
        }
    }

    /// Finds the heads and ranks them, as before each decision.
    @Benchmark
    public float rank() {
        ClusterState state = cell.engine().state();
        var heads = new ArrayList<Job>(Ranking.HEADS);
        for (WaitClass one : state.queue().rankedHeads().first(Ranking.HEADS)) {
            heads.add(Objects.requireNonNull(state.job(new JobId(one.head()))));
        }
        ranker.rank(state, heads, now, scores);
        return scores[heads.size() - 1];
    }

    /// Ends the oldest run, so that the cell decides what starts in its place.
    void endOne() {
        AttemptId oldest = running.removeFirst();
        handle(
                List.of(
                        new Report.TaskRunning(oldest, 0),
                        new Report.TaskEnded(oldest, 0, Exit.SUCCESS)));
    }

    CycleResult.Work work() {
        return work;
    }

    int running() {
        return running.size();
    }
}
