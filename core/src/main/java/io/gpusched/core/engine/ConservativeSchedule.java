package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.CapacityTimeline;
import io.gpusched.core.place.Claims;
import io.gpusched.core.place.GangCapacity;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.ReservationPlanner;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// Conservative backfill: every job near the head of the queue that cannot start has a reservation,
/// a placement with the time from which it is kept.
///
///     8 GPUs, 6 busy until 10:00; queue: A 8 for 1 h, B 4 for 1 h, C 2 for 1 h, D 2 for ½ h
///       at 9:30   A from 10:00, B from 11:00, C from 11:00, D starts: it is gone by 10:00
///
/// After every event the schedule looks at these jobs in queue order. It keeps a reservation that
/// still holds, or moves it to an earlier time if *all other* reservations stay as they are. So no
/// reservation gets worse because another gets better. A job without a reservation is planned
/// around the reservations of the jobs before it only. So is a job whose reservation cannot be kept
/// because a run took too long, a node left, or another job now comes before it. A job behind it
/// that is in the way is planned again at its own turn.
///
/// Reservations are claims. They are recorded as events, and the next cycle starts from them. The
/// cost of planning one grows with the number of times at which capacity is released, and with the
/// nodes on which it is.
///
/// Planning all reservations again in every cycle was rejected: a job earlier in the queue could
/// then move into the gap reserved for a later one. See Mu'alem and Feitelson, "Utilization,
/// predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with
/// backfilling" (2001).
final class ConservativeSchedule {
    /// How many jobs have reservations. Each is planned in every cycle in which a run ends, and the
    /// times reserved far behind rest on many guesses. A job further behind may start if it delays
    /// no reservation.
    static final int DEPTH = 100;

    /// How often the schedule improves reservations in one cycle while some get better: the gap
    /// that one leaves may serve another before it. The rest is left to the next cycle.
    private static final int ROUNDS = 3;

    /// The facts under which no reservation could be improved. As long as they hold, that is until
    /// capacity is released unexpectedly, the search for improvements is skipped.
    static final class Settled {
        private long growth = -1;
        private Map<JobId, Instant> ends = new LinkedHashMap<>();

        private boolean still(ClusterState state) {
            if (growth != state.nodes().growth()) {
                return false;
            }
            for (Job job : state.runs().byExpectedEnd()) {
                Instant before = ends.get(job.id());
                if (before != null && state.runs().expectedEnd(job).isBefore(before)) {
                    return false;
                }
            }
            return true;
        }

        private void note(ClusterState state) {
            growth = state.nodes().growth();
            ends = new LinkedHashMap<>();
            for (Job job : state.runs().byExpectedEnd()) {
                ends.put(job.id(), state.runs().expectedEnd(job));
            }
        }
    }

    private final Cycle cycle;
    private final ClusterState state;
    private final Placer placer;
    private final Claims claims;
    private final CapacityTimeline capacityTimeline;
    private final Map<JobId, TurnOutcome> last = new LinkedHashMap<>();
    private Map<JobId, Integer> ranks = new LinkedHashMap<>();
    private boolean isSettled;

    ConservativeSchedule(
            Cycle cycle,
            ClusterState state,
            Placer placer,
            Claims claims,
            CapacityTimeline capacityTimeline) {
        this.cycle = cycle;
        this.state = state;
        this.placer = placer;
        this.claims = claims;
        this.capacityTimeline = capacityTimeline;
    }

    /// Lets the first jobs of the queue start or keep their reservations.
    void keep(Settled settled) {
        int rounds = ROUNDS;
        boolean moved = true;
        while (rounds > 0) {
            List<Job> first = state.queue().firstJobs(DEPTH);
            rank(first);
            isSettled = settled.still(state);
            boolean started = false;
            moved = false;
            for (Job job : first) {
                CapacityTimeline.Reservation before = capacityTimeline.of(job.id());
                TurnOutcome turnOutcome = cycle.tried(job, attempt(job));
                last.put(job.id(), turnOutcome);
                started |= !(turnOutcome instanceof TurnOutcome.Waits);
                moved |= before != null && !before.equals(capacityTimeline.of(job.id()));
            }
            if (!started) {
                rounds = moved ? rounds - 1 : 0;
            }
        }
        if (!moved) {
            settled.note(state);
        }
    }

    /// Updates the timeline with a decision of this cycle.
    void hear(Event event) {
        capacityTimeline.apply(event);
    }

    /// The outcome of the job's turn; null if it was too far behind to have one.
    @Nullable TurnOutcome of(JobId job) {
        return last.get(job);
    }

    @Nullable Instant reservedFrom(Job job) {
        CapacityTimeline.Reservation reservation = capacityTimeline.of(job.id());
        return reservation == null ? null : reservation.claim.from();
    }

    /// What the job may use now if it respects every reservation but its own.
    CapacityView view(Job job) {
        return capacityTimeline.now(job, reservation -> true).view();
    }

    private void rank(List<Job> first) {
        ranks = new LinkedHashMap<>();
        for (Job job : first) {
            ranks.put(job.id(), ranks.size());
        }
        for (CapacityTimeline.Reservation reservation : capacityTimeline.reservations()) {
            if (!ranks.containsKey(reservation.holder)) {
                claims.drop(reservation.claim, "no longer among the first " + DEPTH + " in line");
            }
        }
    }

    private TurnOutcome attempt(Job job) {
        CapacityTimeline.Reservation own = capacityTimeline.of(job.id());
        Refusal held = cycle.hold(job);
        if (held != null) {
            if (own != null) {
                claims.drop(own.claim, held.why());
            }
            return new TurnOutcome.Waits(List.of(new RefusalCount(held, 0)), null);
        }
        boolean holds = own != null && holds(own, job);
        CapacityView view = view(job);
        Placer.Found found = holds && isSettled ? null : placer.find(job, view);
        boolean later = holds && own != null && own.claim.from().isAfter(cycle.now());
        if (found == null && !later) {
            view = capacityTimeline.now(job, ahead(job)).view();
            found = start(job, own, holds, view);
        }
        TurnOutcome turnOutcome =
                found != null ? cycle.start(job, found, false) : cycle.makeRoom(job, view);
        if (turnOutcome != null) {
            return turnOutcome;
        }
        Claim claim = reserve(job, own, holds);
        return Cycle.waits(claim == null ? null : claim.from());
    }

    /// Where the job may start now; null if nowhere. A job whose reservation still holds starts in
    /// its reserved slots.
    private Placer.@Nullable Found start(
            Job job, CapacityTimeline.@Nullable Reservation own, boolean holds, CapacityView view) {
        if (!holds || own == null) {
            return placer.find(job, view);
        }
        // Its time has come: if it starts a little late, so does the job after it.
        List<Slot> slots = own.claim.slots();
        if (!claims.canTake(slots, view)) {
            return null;
        }
        return areFine(slots, job, view) ? placer.in(slots, job, view) : placer.find(job, view);
    }

    private boolean areFine(List<Slot> slots, Job job, CapacityView view) {
        for (Slot slot : slots) {
            if (!placer.isFine(job.spec().roles().get(slot.role()).shape(), slot, view)) {
                return false;
            }
        }
        return true;
    }

    private Predicate<CapacityTimeline.Reservation> ahead(Job job) {
        int rank = Objects.requireNonNull(ranks.get(job.id()));
        return reservation -> Objects.requireNonNull(ranks.get(reservation.holder)) < rank;
    }

    /// Whether the reservation can still be kept, perhaps a little late: until the claim expires.
    private boolean holds(CapacityTimeline.Reservation own, Job job) {
        List<Slot> slots = own.claim.slots();
        for (Slot slot : slots) {
            if (!placer.suits(job.spec().roles().get(slot.role()).shape(), slot)) {
                return false;
            }
        }
        long until = Instants.micros(own.claim.until());
        try (Trial trial = state.trial()) {
            for (Run run : capacityTimeline.overOn(slots, until)) {
                trial.evict(run);
            }
            long from = Math.max(own.from, Instants.micros(cycle.now()));
            return claims.canTake(slots, capacityTimeline.at(from, job, ahead(job)).view());
        }
    }

    /// Keeps the job's reservation or replaces it by an earlier one; null if there is no time at
    /// which the job could start.
    private @Nullable Claim reserve(
            Job job, CapacityTimeline.@Nullable Reservation own, boolean holds) {
        if (own != null && holds && isSettled) {
            return own.claim;
        }
        ReservationPlanner.Plan plan =
                own != null && holds
                        ? earliest(job, own.from, reservation -> true)
                        : earliest(job, Long.MAX_VALUE, ahead(job));
        if (plan == null && holds && own != null) {
            return own.claim;
        }
        if (own != null) {
            claims.drop(
                    own.claim, holds ? "an earlier one is possible" : "it can no longer be kept");
        }
        return plan == null
                ? null
                : claims.addReservation(job, plan, "the earliest that delays nobody before it");
    }

    /// The earliest time before `before` at which the job could start and run for its planned time,
    /// and where; null if there is none.
    ///
    /// @param respected the reservations whose capacity the job must not use
    private ReservationPlanner.@Nullable Plan earliest(
            Job job, long before, Predicate<CapacityTimeline.Reservation> respected) {
        try (Trial trial = state.trial()) {
            CapacityTimeline.Window window = capacityTimeline.now(job, respected);
            GangCapacity gangCapacity = placer.headroom(job, window.view(), false);
            List<CapacityTimeline.Ending> endings = capacityTimeline.endings();
            int over = 0;
            for (long at : capacityTimeline.times()) {
                if (at >= before) {
                    break;
                }
                List<Claim> shown = window.slideTo(at);
                for (; over < endings.size() && endings.get(over).at() <= at; over++) {
                    Run run = Objects.requireNonNull(endings.get(over).job().phase().run());
                    trial.evict(run, gangCapacity::changed);
                }
                for (Claim claim : shown) {
                    recount(claim, gangCapacity);
                }
                Placer.Found found =
                        gangCapacity.isEnough() ? placer.find(job, window.view()) : null;
                if (found != null) {
                    return new ReservationPlanner.Plan(
                            found.placement().slots(), Instants.ofMicros(at));
                }
            }
            return null;
        }
    }

    private void recount(Claim claim, GangCapacity gangCapacity) {
        for (Slot slot : claim.slots()) {
            NodeView node = state.nodes().find(slot.node());
            if (node != null) {
                gangCapacity.changed(node);
            }
        }
    }
}
