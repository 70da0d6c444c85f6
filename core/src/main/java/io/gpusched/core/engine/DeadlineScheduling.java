package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.DeadlineLedger;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Moves jobs with a deadline between spot capacity and capacity on demand, at the beginning of a
/// cycle: it records what it sees of spot capacity and every choice, and stops runs that go on
/// elsewhere.
///
/// All such jobs are looked at once in every minute of the clock, and a new one at once. Whether a
/// minute is new follows from the time of the last batch alone, so that a scheduler that was
/// restarted decides at the same times.
final class DeadlineScheduling {
    /// Room for more jobs of one kind than this is not counted.
    private static final int MOST_ROOM = 64;

    private final ClusterState state;
    private boolean active = true;
    private Instant lastBatch;
    private Instant began = Instant.MIN;

    DeadlineScheduling(ClusterState state) {
        this.state = state;
        this.lastBatch = state.lastAt();
    }

    /// From now on every job keeps its choice.
    void stop() {
        active = false;
    }

    /// All events so far are in batches.
    void concluded() {
        lastBatch = state.lastAt();
    }

    /// When the jobs must be looked at without an input; null when there is none.
    @Nullable Instant next() {
        if (!active || state.deadlineJobs().isEmpty()) {
            return null;
        }
        Instant from = began.isAfter(lastBatch) ? began : lastBatch;
        return Instants.ofMicros((interval(from) + 1) * DeadlinePlan.EVERY.toNanos() / 1_000);
    }

    private static long interval(Instant at) {
        return Math.floorDiv(Instants.micros(at), DeadlinePlan.EVERY.toNanos() / 1_000);
    }

    void run(Cycle cycle, Engine engine) {
        DeadlineLedger ledger = state.deadlineJobs();
        if (!active || ledger.isEmpty()) {
            return;
        }
        boolean all = interval(cycle.now()) > interval(lastBatch);
        began = cycle.now();
        if (!all && !ledger.isUndecided()) {
            return;
        }
        var kinds = new LinkedHashMap<Long, List<DeadlineLedger.Entry>>();
        for (DeadlineLedger.Entry entry : ledger.all()) {
            Job job = state.job(entry.job());
            if (job != null && mayMove(job)) {
                kinds.computeIfAbsent(entry.need(), need -> new ArrayList<>()).add(entry);
            }
        }
        DeadlinePlan plan = DeadlinePlan.of(engine, cycle.now());
        for (Map.Entry<Long, List<DeadlineLedger.Entry>> kind : kinds.entrySet()) {
            if (all || kind.getValue().stream().anyMatch(entry -> entry.choice() == null)) {
                new Kind(kind.getKey(), kind.getValue(), plan, cycle).decide(all);
            }
        }
    }

    private static boolean mayMove(Job job) {
        return switch (job.phase()) {
            case Phase.Waiting _, Phase.Starting _, Phase.Running _ -> true;
            case Phase.Held _, Phase.Stopping _, Phase.Ended _ -> false;
        };
    }

    /// Free capacity for jobs of one kind. Where it was not counted to its end, jobs that wait
    /// count on more: a thousand that come together must not start a few in each minute. Runs are
    /// stopped only for what was counted.
    private static final class FreeCapacity {
        private final boolean more;
        private int left;

        FreeCapacity(int counted) {
            more = counted >= MOST_ROOM;
            left = counted;
        }

        boolean isLeft(boolean runs) {
            return left > 0 || (more && !runs);
        }

        void take() {
            left--;
        }
    }

    /// All jobs that ask for the same, and the capacity that they share.
    private final class Kind {
        private final long need;
        private final List<DeadlineLedger.Entry> entries;
        private final DeadlinePlan plan;
        private final Cycle cycle;
        private final DeadlinePlan.Offer offer;
        private FreeCapacity spotRoom = new FreeCapacity(0);

        /// Null while it was not counted.
        private @Nullable FreeCapacity onDemandRoom;

        Kind(long need, List<DeadlineLedger.Entry> entries, DeadlinePlan plan, Cycle cycle) {
            this.need = need;
            this.entries = entries;
            this.plan = plan;
            this.cycle = cycle;
            this.offer = plan.offer(job(entries.getFirst()).spec());
        }

        private Job job(DeadlineLedger.Entry entry) {
            return Objects.requireNonNull(state.job(entry.job()));
        }

        void decide(boolean all) {
            if (offer.prices() != null) {
                look();
            }
            var later = new ArrayList<DeadlineLedger.Entry>();
            for (DeadlineLedger.Entry entry : entries) {
                if (isChosenAndWaiting(entry)) {
                    decide(entry, all);
                } else {
                    later.add(entry);
                }
            }
            later.forEach(entry -> decide(entry, all));
        }

        /// Spot capacity is there if one of the jobs has it, or could have it.
        private void look() {
            int holders = 0;
            for (DeadlineLedger.Entry entry : entries) {
                Run run = job(entry).phase().run();
                boolean holds = run != null && plan.isSteady(run) && isOnSpot(job(entry));
                holders += holds ? 1 : 0;
            }
            int most = Math.min(MOST_ROOM, Math.max(1, entries.size() - holders));
            spotRoom = new FreeCapacity(plan.room(offer, SpotChoice.SPOT, most));
            boolean available = holders > 0 || spotRoom.isLeft(false);
            DeadlineLedger.Seen seen = state.deadlineJobs().seen(need);
            if (seen == null || !seen.watched() || seen.history().available() != available) {
                cycle.record(new Event.SpotSeen(cycle.now(), need, available));
            }
        }

        private boolean isOnSpot(Job job) {
            return plan.current(job, offer) == SpotChoice.SPOT;
        }

        private boolean isChosenAndWaiting(DeadlineLedger.Entry entry) {
            CapacityChoice choice = entry.choice();
            return choice != null && choice.choice() == SpotChoice.SPOT && job(entry).waiting();
        }

        private void decide(DeadlineLedger.Entry entry, boolean all) {
            Job job = job(entry);
            Run run = job.phase().run();
            if (run != null && !plan.isSteady(run)) {
                return;
            }
            CapacityChoice before = entry.choice();
            SpotChoice current = plan.current(job, offer);
            boolean runs = run != null;
            boolean spot = current == SpotChoice.SPOT || spotRoom.isLeft(runs);
            CapacityChoice next =
                    before != null && !all
                            ? before
                            : plan.decide(entry, job, offer, spot, () -> hasOnDemand(runs))
                                    .choice();
            FreeCapacity taken = next.choice() == SpotChoice.SPOT ? spotRoom : onDemandRoom;
            if (taken != null && next.choice() != current && next.choice() != SpotChoice.WAIT) {
                taken.take();
            }
            CapacityRule rule = offer.rule(next.choice());
            if (before == null
                    || before.choice() != next.choice()
                    || !job.spec().capacity().equals(rule)) {
                choose(job, rule, next);
            }
            if (run != null && next.choice() != current) {
                var cause = new StopCause(StopCause.Kind.MOVED, moves(next));
                cycle.record(new Event.AttemptStopping(cycle.now(), run.id(), cause));
            }
        }

        private boolean hasOnDemand(boolean runs) {
            if (onDemandRoom == null) {
                int most = Math.min(MOST_ROOM, entries.size());
                onDemandRoom = new FreeCapacity(plan.room(offer, SpotChoice.ON_DEMAND, most));
            }
            return onDemandRoom.isLeft(runs);
        }

        /// A waiting job cannot use what was claimed for it elsewhere.
        private void choose(Job job, CapacityRule rule, CapacityChoice next) {
            if (job.waiting()) {
                for (Claim claim : cycle.cluster().claims()) {
                    if (claim.isFor(job.id())) {
                        cycle.claims().drop(claim, "the job is to run on other capacity");
                    }
                }
            }
            cycle.record(new Event.CapacityChosen(cycle.now(), job.id(), rule, next));
        }
    }

    private static String moves(CapacityChoice next) {
        return switch (next.choice()) {
                    case SPOT -> "moves to spot capacity: ";
                    case ON_DEMAND -> "moves to capacity on demand: ";
                    case WAIT -> "stops to wait for spot capacity: ";
                }
                + next.reason();
    }
}
