package io.gpusched.sim.whatif;

import io.gpusched.core.cell.Listener;
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
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs a second policy beside the one in force, on the same inputs. It decides but never acts.
///
/// It is a [ReplayBranch] along a journal that is still being written, so true runtimes become
/// known late: if the shadow starts a job earlier than production does, the journal does not tell
/// yet when the job ends. The shadow then waits until it knows, and compares both sides at its own
/// time. It never falls behind by more than a limit: a run whose end is still unknown then takes
/// the predicted runtime, and such runs are counted.
///
/// One thread owns it. Memory grows with the jobs that have not ended, and with how far the shadow
/// is behind.
public final class ShadowReplay {
    /// The figures of both sides at one time.
    ///
    /// @param since when the shadow began
    /// @param at the shadow's time
    /// @param behind how far that is before the newest batch
    /// @param parted the first cycle that decided something else; null if there was none
    /// @param pools names of the pools, which kept their recorded sizes
    /// @param guesses runs of the shadow whose runtime was not known in time
    /// @param differences shadow minus live, job by job
    public record Picture(
            String policy,
            Instant since,
            Instant at,
            Duration behind,
            long batches,
            @Nullable DecisionDifference parted,
            List<String> pools,
            long guesses,
            StartComparison.Summary starts,
            PeriodFigures live,
            PeriodFigures shadow,
            PairedDifferences differences) {
        public Picture {
            pools = List.copyOf(pools);
        }
    }

    /// Where it begins.
    public record Beginning(StateImage image, LearnerImage learned, SchedulerConfig inForce) {}

    private final String policy;
    private final Instant since;
    private final Duration mostBehind;
    private final long mostEvents;
    private final Duration assumed;
    private final RecordedRuntimes recordedRuntimes = new RecordedRuntimes();
    private final TenantAccounts live;
    private final TenantAccounts shadow;
    private final StartComparison startComparison = new StartComparison();
    private final PairedComparison pairedComparison = new PairedComparison();
    private final Set<JobId> endedLive = new HashSet<>();
    private final Set<JobId> endedShadow = new HashSet<>();
    private final ArrayDeque<Batch> ahead = new ArrayDeque<>();
    private final ReplayBranch replayBranch;
    private Instant newest;
    private long eventsAhead;
    private long batches;

    /// @param mostBehind how far the shadow may be behind
    /// @param mostEvents how many events may be kept for it
    public ShadowReplay(
            Beginning from,
            String policy,
            String placer,
            SchedulerConfig.Known ways,
            Duration mostBehind,
            long mostEvents) {
        this(from, policy, placer, ways, mostBehind, mostEvents, (batch, cycleResult) -> {});
    }

    /// @param rounds receives every cycle of the shadow with the inputs before it
    public ShadowReplay(
            Beginning from,
            String policy,
            String placer,
            SchedulerConfig.Known ways,
            Duration mostBehind,
            long mostEvents,
            Listener rounds) {
        this.policy = policy;
        this.mostBehind = mostBehind;
        this.mostEvents = mostEvents;
        SchedulerConfig asked = from.inForce.with(policy, placer);
        this.assumed = asked.settings().assumedRuntime();
        EngineSettings rules = asked.settings();
        var learning = rules.with(rules.predictionSettings().learning());
        Engine engine = Engine.restore(from.image, from.learned, asked.toPolicy(), learning);
        this.since = engine.state().lastAt();
        this.newest = since;
        Duration every = asked.settings().policy().checkpointEvery();
        this.live = new TenantAccounts(every);
        this.shadow = new TenantAccounts(every);
        recordedRuntimes.savedEvery(every);
        recordedRuntimes.begin(engine.state());
        live.begin(engine.state());
        shadow.begin(engine.state());
        pairedComparison.begin(engine.state());
        this.replayBranch =
                new ReplayBranch(
                        engine,
                        new WhatIfQuestion(0, null, policy, placer),
                        from.inForce,
                        ways,
                        recordedRuntimes,
                        Map.of(),
                        this::inShadow,
                        rounds);
    }

    /// Adds the next durable batch and advances as far as it can.
    public void hear(Batch batch) {
        newest = batch.at();
        recordedRuntimes.note(batch);
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.JobEnded ended) {
                ended(ended.job(), endedLive, endedShadow);
            }
        }
        ahead.add(batch);
        eventsAhead += batch.size();
        goOn();
    }

    private void goOn() {
        for (Batch next = ahead.peek(); next != null; next = ahead.peek()) {
            boolean followed = replayBranch.follow(next);
            if (!followed && isLate()) {
                recordedRuntimes.guessBy(replayBranch.model(), assumed);
                followed = replayBranch.follow(next);
                recordedRuntimes.guessNothing();
            }
            if (!followed) {
                return;
            }
            ahead.remove();
            eventsAhead -= next.size();
            batches++;
            next.facts().forEach(this::inEarnest);
            next.decided().forEach(this::inEarnest);
        }
    }

    private boolean isLate() {
        return eventsAhead > mostEvents
                || Duration.between(replayBranch.now(), newest).compareTo(mostBehind) > 0;
    }

    private void inEarnest(Event event) {
        live.note(event);
        startComparison.recorded(event);
        pairedComparison.recorded(event);
    }

    private void inShadow(Event event) {
        shadow.note(event);
        startComparison.otherwise(event);
        pairedComparison.otherwise(event);
        if (event instanceof Event.JobEnded ended) {
            ended(ended.job(), endedShadow, endedLive);
        }
    }

    /// Forgets jobs that have ended on both sides.
    private void ended(JobId job, Set<JobId> here, Set<JobId> there) {
        if (there.remove(job)) {
            recordedRuntimes.forget(job);
        } else {
            here.add(job);
        }
    }

    /// The number of waiting jobs in the shadow.
    public long waiting() {
        return replayBranch.state().waitingJobs();
    }

    public Picture picture() {
        Instant at = ahead.isEmpty() ? newest : replayBranch.now();
        return new Picture(
                policy,
                since,
                at,
                Duration.between(at, newest),
                batches,
                replayBranch.parted(),
                replayBranch.pools(),
                replayBranch.guesses(),
                startComparison.summary(),
                live.figures(at),
                shadow.figures(at),
                pairedComparison.differences(at));
    }
}
