package io.gpusched.core.place;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.Deadlines;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/// Makes, finds and drops claims during one cycle. There is at most one reservation at a time,
/// except under conservative backfill.
public final class Claims {
    /// How long after its start an unused reservation is planned anew.
    private static final Duration SLACK = Duration.ofSeconds(60);

    private final ClusterState state;
    private final Consumer<Event> record;
    private final Instant now;
    private @Nullable Claim reservation;
    private int reservations;
    private boolean freed;

    public Claims(ClusterState state, Consumer<Event> record, Instant now) {
        this.state = state;
        this.record = record;
        this.now = now;
        for (Claim claim : state.claims()) {
            if (claim.kind() == Claim.Kind.RESERVATION) {
                reservation = claim;
                reservations++;
            }
        }
    }

    public boolean hasReservation() {
        return reservation != null;
    }

    public boolean reservationIsFor(Job job) {
        return reservation != null && reservation.isFor(job.id());
    }

    public @Nullable Instant reservedFrom() {
        return reservation == null ? null : reservation.from();
    }

    /// Whether the job comes before the holder of the reservation, or there is no reservation.
    public boolean isAheadOfReservation(Job job) {
        Job holder = holder();
        if (holder == null) {
            return true;
        }
        return state.queue().mayOvertake(job, holder);
    }

    private @Nullable Job holder() {
        return reservation != null && reservation.claimHolder() instanceof ClaimHolder.OfJob of
                ? state.job(of.job())
                : null;
    }

    /// Whether the claim has not been dropped.
    public boolean stands(Claim claim) {
        return state.claims().contains(claim);
    }

    /// Drops claims that have expired, lost their holder or lost their nodes.
    public void prune() {
        for (Claim claim : state.claims()) {
            String why = stale(claim);
            if (why != null) {
                drop(claim, why);
            }
        }
    }

    /// Drops the reservations if there are several: they were made under another policy, and under
    /// this one only the first job in the queue has one.
    public void leaveAtMost(int most) {
        if (reservations > most) {
            for (Claim claim : state.claims()) {
                if (claim.kind() == Claim.Kind.RESERVATION) {
                    drop(claim, "this policy keeps a place for " + most + " at most");
                }
            }
        }
    }

    private @Nullable String stale(Claim claim) {
        if (!claim.until().isAfter(now)) {
            return "lapsed";
        }
        if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            Job job = state.job(of.job());
            if (job == null || !job.waiting()) {
                return "its job no longer waits";
            }
        }
        for (Slot slot : claim.slots()) {
            NodeView node = state.nodes().find(slot.node());
            if (node == null || !node.status().open()) {
                return "node " + slot.node() + " takes no new tasks";
            }
            if ((node.unfitGpus() & slot.grant().mask()) != 0) {
                return "a GPU of node " + slot.node() + " is unfit";
            }
        }
        return null;
    }

    public void drop(Claim claim, String why) {
        record.accept(new Event.ClaimDropped(now, claim.id(), why));
        if (reservation != null && reservation.id().equals(claim.id())) {
            reservation = null;
        }
        freed = true;
    }

    /// The job is placed: its own claims are dropped, and so is the reservation of a job that it
    /// overtook, which may now lack what the job took.
    public void dropFor(Job job, Placement on, boolean overtakes) {
        for (Claim claim : state.claims()) {
            boolean own = claim.isFor(job.id());
            boolean overtaken =
                    overtakes && claim.kind() == Claim.Kind.RESERVATION && share(claim, on);
            if (own || overtaken) {
                drop(claim, own ? "used" : "overtaken by " + job.id());
            }
        }
    }

    private static boolean share(Claim claim, Placement placement) {
        for (Slot slot : placement.slots()) {
            for (Slot held : claim.slots()) {
                boolean gpus = (held.grant().mask() & slot.grant().mask()) != 0;
                if (held.node().equals(slot.node())
                        && (gpus || !held.host().equals(Resources.NONE))) {
                    return true;
                }
            }
        }
        return false;
    }

    public void reserve(Job job, ReservationPlanner.Plan plan) {
        if (reservation != null) {
            drop(reservation, "overtaken by " + job.id());
        }
        reservation = addReservation(job, plan, "first in line that cannot start");
    }

    /// Makes one of several reservations.
    public Claim addReservation(Job job, ReservationPlanner.Plan plan, String why) {
        var claim =
                new Claim(
                        state.nextClaim(),
                        new ClaimHolder.OfJob(job.id()),
                        Claim.Kind.RESERVATION,
                        plan.slots(),
                        plan.from(),
                        plan.from().plus(SLACK),
                        why);
        record.accept(new Event.ClaimMade(now, claim));
        return claim;
    }

    public void makeRoom(Job job, PreemptionTrial.Leaving leaving) {
        var victimList = VictimList.of(leaving.victims().stream().map(Job::id).toList());
        var claim =
                new Claim(
                        state.nextClaim(),
                        new ClaimHolder.OfJob(job.id()),
                        Claim.Kind.ROOM,
                        leaving.placement().slots(),
                        now,
                        now.plus(leaving.within()).plus(Deadlines.STOP_MARGIN).plus(SLACK),
                        victimList.count() == 0
                                ? "room is left by others"
                                : "room is made " + victimList.written());
        record.accept(new Event.ClaimMade(now, claim));
    }

    /// Whether all of these slots are free in the view.
    public boolean canTake(List<Slot> slots, CapacityView view) {
        try (Trial trial = state.trial()) {
            for (Slot slot : slots) {
                NodeView node = view.nodes().find(slot.node());
                if (node == null
                        || !node.status().open()
                        || slot.host().milliCpu() > node.freeMilliCpu()
                        || slot.host().memoryMiB() > node.freeMemoryMiB()
                        || !node.hasFree(slot.grant())) {
                    return false;
                }
                trial.place(slot);
            }
            return true;
        }
    }

    /// Whether any claim was dropped since the last call.
    public boolean takeFreed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    /// The events that drop every claim of a job that leaves the queue.
    public static List<Event> dropAll(Job job, ClusterState state, Instant now, String why) {
        return state.claims().stream()
                .filter(claim -> claim.isFor(job.id()))
                .<Event>map(claim -> new Event.ClaimDropped(now, claim.id(), why))
                .toList();
    }
}
