package io.gpusched.sim.whatif;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Replays a journal under the recorded policy and settings and reports every cycle that decides
/// something else. The same release with the same settings never differs; another release may.
///
/// After a cycle that differs, the replay continues from the recorded decisions, so that one
/// difference does not hide the next.
public final class Verification {
    /// The replay stops after this many different cycles.
    private static final int MOST = 100;

    /// @param differing the number of cycles that decided something else, at most a hundred
    /// @param first the first few of them
    public record Result(
            long batches,
            long events,
            long decisions,
            long differing,
            List<DecisionDifference> first) {
        public Result {
            first = List.copyOf(first);
        }
    }

    private static final int TOLD = 5;

    private final History history;
    private final WhatIfQuestion whatIfQuestion;
    private final SchedulerConfig.Known ways;
    private final WhatIf.Watcher watcher;
    private final List<DecisionDifference> first = new ArrayList<>();
    private @Nullable Engine past;
    private @Nullable ReplayBranch replayBranch;
    private SchedulerConfig schedulerConfig = SchedulerConfig.DEFAULT;
    private long batches;
    private long events;
    private long decisions;
    private long differing;

    /// @param since where to begin; the policy it names is ignored
    public Verification(
            History history,
            WhatIfQuestion since,
            SchedulerConfig.Known ways,
            WhatIf.Watcher watcher) {
        this.history = history;
        this.whatIfQuestion = new WhatIfQuestion(since.afterBatch(), since.from(), "", "");
        this.ways = ways;
        this.watcher = watcher;
    }

    public Result run() {
        history.read(0, this::next);
        if (batches == 0) {
            throw new InvalidWhatIf(
                    past == null
                            ? "expected a journal with at least one batch, found none"
                            : "expected something after the point asked about, found that the"
                                    + " journal ends with batch "
                                    + past.lastBatch());
        }
        decisions += replayBranch == null ? 0 : replayBranch.decisions();
        return new Result(batches, events, decisions, differing, first);
    }

    private void next(Batch batch) {
        if (!watcher.at(batch.number(), events, true)) {
            throw new WhatIf.Stopped();
        }
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.EngineStarted e) {
                takesCharge(ways.of(e.fingerprint()));
            }
        }
        if (past == null) {
            past = new Engine(schedulerConfig.toPolicy(), schedulerConfig.settings());
        }
        if (differing < MOST && whatIfQuestion.isAbout(batch)) {
            follow(batch, past);
        }
        past.apply(batch);
        events += batch.size();
    }

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
                            schedulerConfig.settings());
        }
    }

    private void follow(Batch batch, Engine from) {
        ReplayBranch present = replayBranch == null ? fresh(from) : replayBranch;
        present.follow(batch);
        replayBranch = present;
        batches++;
        DecisionDifference decisionDifference = present.parted();
        if (decisionDifference != null) {
            differing++;
            if (first.size() < TOLD) {
                first.add(decisionDifference);
            }
            decisions += present.decisions();
            replayBranch = null;
        }
    }

    private ReplayBranch fresh(Engine from) {
        String chosen = from.state().policy();
        SchedulerConfig now =
                chosen.isEmpty()
                        ? schedulerConfig
                        : new SchedulerConfig(chosen, schedulerConfig.settings());
        Engine engine =
                Engine.restore(
                        from.image(), from.learner().image(), now.toPolicy(), now.settings());
        return new ReplayBranch(
                engine,
                whatIfQuestion,
                now,
                ways,
                new RecordedRuntimes(), // A verification simulates no runs.
                Map.of(),
                event -> {},
                (batch, cycleResult) -> {});
    }
}
