package io.gpusched.server.forecast;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.forecast.ModelRuntimes;
import io.gpusched.core.forecast.QueueForecast;
import io.gpusched.core.forecast.RuntimeSource;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.forecast.StartForecast;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.view.StartTimes;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Estimates periodically when waiting jobs will start, and measures how often its estimates were
/// right.
///
/// No request waits for it: readers get the estimates that were published last. Each pass copies
/// the cluster state, without ended jobs, on the thread that answers queries, and simulates the
/// copy ahead. If very many jobs wait, only the first of the queue are simulated; the estimates of
/// the others are derived from those and are less exact ([QueueForecast]).
public final class StartForecaster implements Follower.BatchListener, StartTimes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartForecaster.class);

    private static final int RUNS = 30;
    private static final int MOST_WAITING = 5_000;

    /// The pause after a pass is at least this many times as long as the pass.
    private static final int REST = 20;

    private static final long MOST_STEPS = 20_000;

    /// The input of a pass.
    private record StateCopy(StateImage image, ModelCopies.Copy model, String policy) {}

    /// The input of a pass over all waiting jobs.
    private record QueueCopy(
            List<Job> waiting,
            Map<TenantId, Double> weights,
            ModelCopies.Copy model,
            String policy) {}

    /// The result of a pass: simulated estimates of the first jobs, and a rough forecast of the
    /// others.
    private record Found(Map<JobId, StartEstimate> starts, QueueForecast.@Nullable Beyond beyond) {}

    private static final Found NOTHING = new Found(Map.of(), null);

    private final EngineSettings settings;
    private final Duration pause;
    private final int mostWaiting;
    private final InstantSource clock;
    private final ModelCopies copies;
    private final EstimateFile file;
    private final StartEstimates startEstimates = new StartEstimates();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Found found = NOTHING;
    private long passes;
    private long written;
    private RuntimeModel model = new RuntimeModel();
    private long modelVersion = -1;
    private @Nullable Thread thread;

    /// @param pause between two passes; zero for no estimates
    /// @param folder of the [EstimateFile]
    public StartForecaster(
            EngineSettings settings,
            Duration pause,
            InstantSource clock,
            ModelCopies copies,
            Path folder) {
        this(settings, pause, clock, copies, folder, MOST_WAITING);
    }

    /// @param mostWaiting largest number of jobs that are simulated
    StartForecaster(
            EngineSettings settings,
            Duration pause,
            InstantSource clock,
            ModelCopies copies,
            Path folder,
            int mostWaiting) {
        this.mostWaiting = mostWaiting;
        this.settings = settings.with(PredictionSettings.NONE);
        this.pause = pause;
        this.clock = clock;
        this.copies = copies;
        this.file = new EstimateFile(folder.resolve("promises"));
    }

    /// Continues with the statistics of estimates from before the start of the server.
    ///
    /// @param present the recovered state, before the first change
    public void resume(ClusterView present) {
        StartEstimates.Image kept = pause.isZero() ? null : file.read();
        if (kept != null) {
            startEstimates.resume(kept, present::job);
        }
    }

    public void start(Follower follower) {
        if (!pause.isZero()) {
            thread = Thread.ofPlatform().name("outlook").daemon().start(() -> run(follower));
        }
    }

    @Override
    public @Nullable StartEstimate of(JobId job) {
        Instant now = clock.instant();
        StartEstimate found = found(job, now);
        return found == null ? null : found.from(now);
    }

    @Override
    public boolean isDue(JobId job) {
        Instant now = clock.instant();
        StartEstimate found = found(job, now);
        return found != null && found.middle() != null && !found.middle().isAfter(now);
    }

    private @Nullable StartEstimate found(JobId job, Instant now) {
        Found last = found;
        StartEstimate startEstimate = last.starts.get(job);
        StartEstimate rough =
                startEstimate == null && last.beyond != null ? last.beyond.of(job) : null;
        return rough == null ? startEstimate : startEstimates.corrected(rough, now);
    }

    @Override
    public boolean isRough(JobId job) {
        Found last = found;
        return !last.starts.containsKey(job) && last.beyond != null;
    }

    /// Share of started jobs that started within their first estimated range.
    public double coverage() {
        return startEstimates.coverage();
    }

    /// How many started jobs [#coverage] is based on; older ones count less.
    public double judgedStarts() {
        return startEstimates.judged();
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event event :
                Stream.concat(batch.facts().stream(), batch.decided().stream()).toList()) {
            if (event instanceof Event.AttemptPlaced placed) {
                startEstimates.started(placed.attempt().job(), placed.at());
            } else if (event instanceof Event.JobEnded ended) {
                startEstimates.gone(ended.job());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            if (thread != null && thread.join(Duration.ofSeconds(5))) {
                keep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Follower follower) {
        try {
            long rest = pause.toMillis();
            while (!closed.await(rest, TimeUnit.MILLISECONDS)) {
                long began = System.nanoTime();
                look(follower);
                keep();
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                rest = Math.max(pause.toMillis(), REST * took);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Writes the statistics of estimates to the file if they have changed.
    void keep() {
        long version = startEstimates.version();
        if (version != written) {
            written = file.write(startEstimates.image()) ? version : written;
        }
    }

    /// Runs one pass. A pass that fails gives no estimates; the scheduler goes on.
    void look(Follower follower) {
        try {
            startEstimates.roundBegins();
            long waiting = follower.view().waitingJobs();
            if (waiting == 0) {
                found = NOTHING;
            } else {
                found = waiting > mostWaiting ? ofMany(follower) : ahead(follower);
            }
        } catch (CellUnavailable busy) {
            LOG.debug("no start estimates this time", busy);
        } catch (RuntimeException e) {
            LOG.warn("no start estimates this time", e);
            found = NOTHING;
        }
    }

    private Found ahead(Follower follower) {
        Instant now = clock.instant();
        StateCopy copy =
                follower.ask(
                        engine ->
                                new StateCopy(
                                        StateImage.ahead(
                                                engine.state(), engine.lastBatch(), job -> true),
                                        copies.of(engine),
                                        engine.policy().name()));
        know(copy.model);
        return new Found(startEstimates.told(run(copy, runtimes(now), now), now), null);
    }

    /// Only this thread has this copy of the model, and simulations do not change it.
    private void know(ModelCopies.Copy copy) {
        if (copy.version() != modelVersion) {
            model = RuntimeModel.restored(copy.image());
            modelVersion = copy.version();
        }
    }

    private RuntimeSource runtimes(Instant now) {
        return new ModelRuntimes(model, settings.assumedRuntime(), now);
    }

    private Map<JobId, StartEstimate> run(
            StateCopy copy, RuntimeSource runtimeSource, Instant now) {
        var startForecast =
                new StartForecast(
                        () -> policy(copy.policy), settings, runtimeSource, RUNS, MOST_STEPS);
        return startForecast.from(copy.image, model, now, passes++);
    }

    private Found ofMany(Follower follower) {
        Instant now = clock.instant();
        QueueCopy queueCopy = follower.ask(this::queueCopy);
        know(queueCopy.model);
        RuntimeSource runtimeSource = runtimes(now);
        var queue =
                QueueForecast.of(
                        queueCopy.waiting,
                        policy(queueCopy.policy).order().at(now),
                        tenant -> queueCopy.weights.getOrDefault(tenant, 1.0),
                        runtimeSource);
        Set<JobId> first = new HashSet<>();
        queue.first(mostWaiting).forEach(job -> first.add(job.id()));
        StateImage image =
                follower.ask(
                        engine ->
                                StateImage.ahead(
                                        engine.state(),
                                        engine.lastBatch(),
                                        job -> first.contains(job.id())));
        Map<JobId, StartEstimate> near =
                run(new StateCopy(image, queueCopy.model, queueCopy.policy), runtimeSource, now);
        QueueForecast.Beyond beyond = queue.beyond(near, now);
        Map<JobId, StartEstimate> told = startEstimates.told(near, now);
        if (beyond != null) {
            startEstimates.promise(queue, beyond, now);
        }
        return new Found(told, beyond);
    }

    private QueueCopy queueCopy(Engine engine) {
        var waiting = new ArrayList<Job>();
        engine.state().jobs().forEachWaiting(waiting::add);
        var weights = new HashMap<TenantId, Double>();
        engine.state().tenants().all().forEach(tenant -> weights.put(tenant.id(), tenant.weight()));
        return new QueueCopy(waiting, weights, copies.of(engine), engine.policy().name());
    }

    private Policy policy(String name) {
        return Objects.requireNonNull(Policies.named(name, settings.policy()));
    }
}
