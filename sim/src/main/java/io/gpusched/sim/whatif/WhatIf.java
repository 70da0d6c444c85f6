package io.gpusched.sim.whatif;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.JobId;
import io.gpusched.core.state.StateImage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Answers a what-if from a recorded journal.
///
/// It reads the journal twice. The first pass reads to the end: it finds the ledger at the chosen
/// point, the true runtime of every job, and what the learner learned. The second pass starts at
/// that point and decides every cycle again. Memory grows with the jobs after the point, not with
/// the events.
public final class WhatIf {
    /// Receives progress, and may stop the analysis.
    public interface Watcher {
        Watcher NONE = (batch, events, second) -> true;

        /// @param batch the number of the one read last
        /// @param events read so far
        /// @param second whether this is the second pass, which decides again
        /// @return whether to go on
        boolean at(long batch, long events, boolean second);

        /// Receives each cycle of the second pass.
        ///
        /// @param round the inputs and the decisions of the cycle; cycles are numbered from 1
        default void decided(Batch round, CycleResult cycleResult) {}
    }

    /// The watcher stopped the analysis.
    public static final class Stopped extends RuntimeException {
        Stopped() {
            super("stopped before the end");
        }
    }

    /// The ledger at the chosen point.
    private record Point(
            StateImage image,
            LearnerImage learned,
            SchedulerConfig schedulerConfig,
            Map<JobId, Duration> saved,
            Instant from) {}

    private final History history;
    private final WhatIfQuestion whatIfQuestion;
    private final SchedulerConfig.Known ways;
    private final Watcher watcher;
    private final RecordedRuntimes recordedRuntimes = new RecordedRuntimes();
    private @Nullable Engine past;
    private @Nullable Point point;
    private SchedulerConfig schedulerConfig = SchedulerConfig.DEFAULT;
    private long events;

    public WhatIf(
            History history,
            WhatIfQuestion whatIfQuestion,
            SchedulerConfig.Known ways,
            Watcher watcher) {
        this.history = history;
        this.whatIfQuestion = whatIfQuestion;
        this.ways = ways;
        this.watcher = watcher;
    }

    /// Throws [InvalidWhatIf] if there is no answer, and [Stopped] if the watcher stops it.
    public WhatIfResult answer() {
        history.read(0, this::lookBack);
        Engine end = past;
        if (end == null) {
            throw new InvalidWhatIf("expected a journal with at least one batch, found none");
        }
        Point at = point;
        if (at == null) {
            throw new InvalidWhatIf(
                    "expected something after the point asked about, found that the journal ends"
                            + " with batch "
                            + end.lastBatch()
                            + " at "
                            + end.state().lastAt());
        }
        recordedRuntimes.guessBy(
                end.learner().model(), at.schedulerConfig.settings().assumedRuntime());
        return decide(at, end.state().lastAt());
    }

    private void lookBack(Batch batch) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.EngineStarted e) {
                takesCharge(ways.of(e.fingerprint()));
            }
        }
        if (past == null) {
            schedulerConfig
                    .with(whatIfQuestion.policy(), whatIfQuestion.placer())
                    .toPolicy(); // Before all is read.
            past = new Engine(schedulerConfig.toPolicy(), learning(schedulerConfig));
            recordedRuntimes.savedEvery(schedulerConfig.settings().policy().checkpointEvery());
        }
        if (point == null && whatIfQuestion.isAbout(batch)) {
            // Before the first batch there was no time.
            Instant from = past.lastBatch() == 0 ? batch.at() : past.state().lastAt();
            point =
                    new Point(
                            past.image(),
                            past.learner().image(),
                            inForce(past),
                            recordedRuntimes.saved(),
                            from);
        }
        past.apply(batch);
        recordedRuntimes.note(batch);
        if (point == null) {
            forgetEnded(batch);
        }
        watch(batch, false);
    }

    /// From here on the replay uses this scheduler's recorded settings, such as the half-life of
    /// usage.
    private void takesCharge(@Nullable SchedulerConfig told) {
        if (told == null || told.equals(schedulerConfig)) {
            return;
        }
        schedulerConfig = told;
        if (past != null) {
            past =
                    Engine.restore(
                            past.image(),
                            past.learner().image(),
                            schedulerConfig.toPolicy(),
                            learning(schedulerConfig));
            recordedRuntimes.savedEvery(schedulerConfig.settings().policy().checkpointEvery());
        }
    }

    private static EngineSettings learning(SchedulerConfig schedulerConfig) {
        return schedulerConfig
                .settings()
                .with(schedulerConfig.settings().predictionSettings().learning());
    }

    /// The configuration that was really in force: a policy that a command chose is in the ledger.
    private SchedulerConfig inForce(Engine at) {
        String chosen = at.state().policy();
        return chosen.isEmpty()
                ? schedulerConfig
                : new SchedulerConfig(chosen, schedulerConfig.settings());
    }

    private void forgetEnded(Batch batch) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.JobEnded ended) {
                recordedRuntimes.forget(ended.job());
            }
        }
    }

    private WhatIfResult decide(Point at, Instant end) {
        SchedulerConfig asked =
                at.schedulerConfig.with(whatIfQuestion.policy(), whatIfQuestion.placer());
        Engine engine = Engine.restore(at.image, at.learned, asked.toPolicy(), asked.settings());
        Duration every = at.schedulerConfig.settings().policy().checkpointEvery();
        var recorded = new TenantAccounts(every);
        var otherwise = new TenantAccounts(every);
        recorded.begin(engine.state());
        otherwise.begin(engine.state());
        var startComparison = new StartComparison();
        var replayBranch =
                new ReplayBranch(
                        engine,
                        whatIfQuestion,
                        at.schedulerConfig,
                        ways,
                        recordedRuntimes,
                        at.saved,
                        event -> {
                            otherwise.note(event);
                            startComparison.otherwise(event);
                        },
                        watcher::decided);
        long before = events;
        long[] batches = {0};
        history.read(
                at.image.batch(),
                batch -> {
                    replayBranch.follow(batch);
                    batch.facts().forEach(recorded::note);
                    batch.facts().forEach(startComparison::recorded);
                    batch.decided().forEach(recorded::note);
                    batch.decided().forEach(startComparison::recorded);
                    batches[0]++;
                    watch(batch, true);
                });
        replayBranch.finish(end);
        return new WhatIfResult(
                at.image.batch(),
                at.from,
                end,
                at.schedulerConfig.policy(),
                asked.policy(),
                at.schedulerConfig.placer(),
                asked.placer(),
                batches[0],
                events - before,
                replayBranch.decisions(),
                replayBranch.parted(),
                replayBranch.pools(),
                replayBranch.guesses(),
                startComparison.summary(),
                recorded.figures(end),
                otherwise.figures(end));
    }

    private void watch(Batch batch, boolean second) {
        events += batch.size();
        if (!watcher.at(batch.number(), events, second)) {
            throw new Stopped();
        }
    }
}
