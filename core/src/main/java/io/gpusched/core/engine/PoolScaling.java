package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.core.state.SizeDecision;
import io.gpusched.core.state.StartProbes;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Scales pools at the beginning of a cycle: it submits replicas as ordinary jobs, and drains and
/// stops those that a pool no longer needs.
///
/// A pool is looked at once in every interval of its `scaling.every`, and at once when it was
/// changed. The intervals are those of the clock. Whether an interval is new follows from the time
/// of the last batch alone, so that a scheduler that was restarted decides at the same times.
final class PoolScaling {
    private static final String BY = "the scaler";

    /// A replica that finds no spot capacity for so long starts on demand, and one that finds none
    /// in its market on demand in another.
    private static final Duration SPOT_PATIENCE = Duration.ofSeconds(30);

    private static final Duration PRELOAD = Duration.ofSeconds(10);

    private final ClusterState state;
    private final EngineSettings settings;
    private final StartLimits limits;
    private StartBudget budget = new StartBudget();
    private boolean active = true;
    private Instant lastBatch;
    private Instant began = Instant.MIN;
    private Instant looked = Instant.MIN;

    PoolScaling(ClusterState state, EngineSettings settings) {
        this.state = state;
        this.settings = settings;
        this.limits = new StartLimits(state, settings);
        this.lastBatch = state.lastAt();
    }

    /// From now on every pool keeps its replicas.
    void stop() {
        active = false;
    }

    /// All events so far are in batches.
    void concluded() {
        lastBatch = state.lastAt();
    }

    void run(Cycle cycle, PoolSizing sizing) {
        if (!active) {
            return;
        }
        preload(cycle);
        if (state.pools().isEmpty()) {
            return;
        }
        began = cycle.now();
        budget = new StartBudget();
        for (PoolEntry entry : state.pools().withDraining()) {
            stopDrained(entry, cycle);
        }
        for (PoolEntry entry : state.pools().all()) {
            if (isDue(entry, cycle.now())) {
                scale(entry, sizing, cycle);
            }
        }
    }

    /// Models are looked at once in every interval of the clock, and when a pool was changed.
    private void preload(Cycle cycle) {
        boolean changed =
                state.pools().all().stream().anyMatch(entry -> entry.changed().equals(cycle.now()));
        boolean due = interval(cycle.now(), PRELOAD) > interval(lastBatch, PRELOAD);
        if ((due || changed) && ModelPreloading.isAsked(state)) {
            looked = cycle.now();
            new ModelPreloading(state, cycle.nodeSearch(), settings, cycle).run();
        }
    }

    private boolean isDue(PoolEntry entry, Instant now) {
        Duration every = entry.pool().scaling().every();
        return entry.changed().equals(now) || interval(now, every) > interval(lastBatch, every);
    }

    private static long interval(Instant at, Duration every) {
        return Math.floorDiv(Instants.micros(at), Math.max(1, every.toNanos() / 1_000));
    }

    /// When a pool or a model must be looked at without an input; null when there is none.
    @Nullable Instant next() {
        if (!active) {
            return null;
        }
        Instant first = state.pools().nextDrained();
        if (ModelPreloading.isAsked(state)) {
            first = Instants.earlier(first, after(looked, PRELOAD));
        }
        for (PoolEntry entry : state.pools().all()) {
            Duration every = entry.pool().scaling().every();
            first = Instants.earlier(first, after(began, every));
        }
        return first;
    }

    /// The beginning of the next interval after the last look and the last batch.
    private Instant after(Instant last, Duration every) {
        Instant from = last.isAfter(lastBatch) ? last : lastBatch;
        return Instants.ofMicros(
                (interval(from, every) + 1) * Math.max(1, every.toNanos() / 1_000));
    }

    private void scale(PoolEntry entry, PoolSizing sizing, Cycle cycle) {
        PoolDecision decision = sizing.decide(entry);
        Recommendation law = decision.recommendation();
        int sizeBefore = entry.desired();
        SizeDecision before = entry.recommended();
        if (law != null
                && (before == null
                        || before.from() != law.replicas()
                        || before.to() != decision.target()
                        || !before.rule().equals(law.rule()))) {
            cycle.record(
                    new Event.PoolRecommended(
                            cycle.now(),
                            entry.id(),
                            law.replicas(),
                            decision.target(),
                            law.rule(),
                            law.reason()));
        }
        if (decision.retryAt() != null) {
            cycle.record(
                    new Event.PoolLapsed(
                            cycle.now(), entry.id(), decision.retryAt(), decision.reason()));
        }
        if (decision.desired() != entry.desired()) {
            cycle.record(
                    new Event.PoolScaled(
                            cycle.now(),
                            entry.id(),
                            entry.desired(),
                            decision.desired(),
                            decision.rule(),
                            decision.reason()));
        }
        int moved = choose(entry, decision, sizeBefore, cycle);
        converge(entry, decision, sizing, moved, cycle);
    }

    /// @param moved replicas that left spot capacity now
    private void converge(
            PoolEntry entry, PoolDecision decision, PoolSizing sizing, int moved, Cycle cycle) {
        if (!new RollingUpdate(state, entry, cycle.now()).isOver()) {
            var actions = new Replacing(entry, sizing, moved, cycle);
            new ReplicaReplacement(state, entry, cycle.now(), actions).step();
            return;
        }
        int missing = entry.desired() - state.pools().counts(entry).active();
        if (missing > 0) {
            submit(entry, missing, sizing, moved, cycle);
        } else if (missing < 0) {
            String why = "scaled down by " + decision.rule() + ": " + decision.reason();
            List<ReplicaStatus> chosen =
                    ReplicaChoice.toRemove(entry, -missing, state, cycle.now());
            for (ReplicaStatus status : chosen) {
                remove(entry, status, why, cycle);
            }
        }
    }

    /// What the steps of an update do.
    private final class Replacing implements ReplicaReplacement.Actions {
        private final PoolEntry entry;
        private final PoolSizing sizing;
        private final int moved;
        private final Cycle cycle;

        Replacing(PoolEntry entry, PoolSizing sizing, int moved, Cycle cycle) {
            this.entry = entry;
            this.sizing = sizing;
            this.moved = moved;
            this.cycle = cycle;
        }

        @Override
        public void submit(int count) {
            PoolScaling.this.submit(entry, count, sizing, moved, cycle);
        }

        @Override
        public boolean hasRoom() {
            int number = limits.nextNumber(entry, 0);
            if (number < 0) {
                return false;
            }
            var share = new SpotShare(state, entry, sizing, 1, cycle.now());
            List<String> regions = sizing.regions(entry.pool());
            return sizing.room(spec(entry, number, share, regions, false), 1) > 0;
        }

        @Override
        public void remove(ReplicaStatus status, String why) {
            PoolScaling.this.remove(entry, status, why, cycle);
        }
    }

    /// After failures one replica at a time shows whether replicas can start again.
    private void submit(PoolEntry entry, int missing, PoolSizing sizing, int moved, Cycle cycle) {
        Instant startAfter = entry.startAfter();
        if (startAfter != null && startAfter.isAfter(cycle.now())) {
            return;
        }
        StartProbes probes = state.pools().probes();
        boolean fails = probes.failures(entry, cycle.now()) > 0;
        int count = !fails ? missing : probes.isRunning(entry) ? 0 : 1;
        List<String> regions = sizing.regions(entry.pool());
        var spot = new SpotShare(state, entry, sizing, count, cycle.now());
        int submitted = 0;
        int number = limits.nextNumber(entry, 0);
        while (count > 0 && number >= 0) {
            boolean onDemand = submitted++ < moved;
            JobSpec spec = spec(entry, number, spot, regions, onDemand);
            if (limits.whyNot(spec) != null || !budget.takes(spec)) {
                return;
            }
            cycle.record(
                    new Event.JobSubmitted(cycle.now(), state.nextJob(), spec, "", 0, false, BY));
            count--;
            number = limits.nextNumber(entry, number + 1);
        }
    }

    private JobSpec spec(
            PoolEntry entry, int number, SpotShare share, List<String> regions, boolean onDemand) {
        String model = entry.choice().model();
        JobSpec spec =
                ReplicaSpecs.of(entry.pool(), number, model, settings.gpuMemoryPerGpu())
                        .withCarbon(CarbonPreference.in(regions));
        if (entry.pool().cost().spotPercent() == 0) {
            return spec;
        }
        return onDemand ? share.onDemand(spec) : share.take(spec);
    }

    /// Records another choice of capacity or model. Replicas that lost their spot capacity start
    /// again on demand if the pool says so, and those that waited for it or for another market in
    /// vain do: they are ended here and replaced below, as many as this returns on demand.
    private int choose(PoolEntry entry, PoolDecision decision, int sizeBefore, Cycle cycle) {
        ServingChoice next =
                new ServingRule(state, entry, cycle.now()).decide(decision, sizeBefore);
        if (!next.isLike(entry.choice())) {
            cycle.record(new Event.PoolChoice(cycle.now(), entry.id(), next));
        }
        int ended = 0;
        boolean leavesSpot = entry.pool().cost().migrate() || !entry.choice().spot();
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            if (job != null
                    && ReplicaSpecs.isInMarket(job.spec())
                    && job.phase() instanceof Phase.Waiting waiting) {
                boolean spot = ReplicaSpecs.isOnSpot(job.spec());
                boolean moves = spot && leavesSpot && waiting.ranBefore();
                if (moves || !waiting.since().plus(SPOT_PATIENCE).isAfter(cycle.now())) {
                    String kind = spot ? "spot capacity" : "capacity in its market";
                    end(job, "scaled down: it finds no " + kind + " and starts on demand", cycle);
                    ended++;
                }
            }
        }
        return ended;
    }

    private void remove(PoolEntry entry, ReplicaStatus status, String why, Cycle cycle) {
        Job job = state.job(status.job());
        if (job == null) {
            return;
        }
        if (job.phase().run() == null) {
            end(job, why, cycle);
        } else if (isUnseen(entry, status, cycle.now())) {
            stop(job, why, cycle);
        } else {
            cycle.record(new Event.ReplicaDraining(cycle.now(), job.id(), why));
        }
    }

    private static void end(Job job, String why, Cycle cycle) {
        for (Claim claim : cycle.cluster().claims()) {
            if (claim.isFor(job.id())) {
                cycle.claims().drop(claim, why);
            }
        }
        var outcome = new Outcome(Outcome.Result.CANCELLED, -1, why);
        cycle.record(new Event.JobEnded(cycle.now(), job.id(), outcome));
    }

    private static void stop(Job job, String why, Cycle cycle) {
        Run run = job.phase().run();
        if (run != null && !(job.phase() instanceof Phase.Stopping)) {
            var cause = new StopCause(StopCause.Kind.SCALED_DOWN, why);
            cycle.record(new Event.AttemptStopping(cycle.now(), run.id(), cause));
        }
    }

    /// Stops replicas that have finished their requests or had their time for it.
    private void stopDrained(PoolEntry entry, Cycle cycle) {
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            Instant since = status.draining();
            if (job == null || since == null) {
                continue;
            }
            if (job.phase().run() == null) {
                end(job, "scaled down", cycle);
            } else if (!since.plus(entry.pool().serving().drain()).isAfter(cycle.now())) {
                stop(job, "scaled down: its time to drain is over", cycle);
            } else if (isEmpty(entry, status, since, cycle.now())) {
                stop(job, "scaled down: it has no request left", cycle);
            }
        }
    }

    /// Whether no source that still reports has a request on the replica or sends it any.
    private static boolean isEmpty(
            PoolEntry entry, ReplicaStatus status, Instant since, Instant now) {
        Instant oldest = now.minus(entry.pool().scaling().staleAfter());
        for (LoadHistory.Sample sample : entry.load().newestBySource()) {
            for (ReplicaLoad load : sample.load().replicas()) {
                boolean counts =
                        load.replica().equals(status.job()) && !sample.at().isBefore(oldest);
                boolean busy = load.ready() || load.running() > 0 || load.waiting() > 0;
                if (counts && (busy || !sample.at().isAfter(since))) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether no source reports about the replica any more, so that nobody could drain it.
    private static boolean isUnseen(PoolEntry entry, ReplicaStatus status, Instant now) {
        Instant oldest = now.minus(entry.pool().scaling().staleAfter());
        return !entry.load().replicasSince(oldest).containsKey(status.job());
    }
}
