package io.gpusched.core.place;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Finds the earliest time and the slots at which a job that cannot start now could start, if
/// running jobs end when they are expected to.
///
/// A trial evicts running jobs in the order of their expected ends until the job fits, which
/// [GangCapacity] decides after each. Where counting is not exact, the number of evictions is found
/// by doubling and then by bisection: more evictions never make a job fit worse.
public final class ReservationPlanner {
    /// An overdue job is expected to end this much later, again and again.
    private static final Duration OVERDUE = Duration.ofSeconds(60);

    /// @param slots the capacity to hold back from now on; of cores and memory only what the jobs
    ///        that end before will not free
    public record Plan(List<Slot> slots, Instant from) {}

    /// When a job could start, and the job whose end lets it.
    public record Start(Instant at, JobId after) {}

    /// How many ending jobs are looked at for each that is evicted on trial at most.
    private static final int LOOKS = 16;

    private final ClusterState state;
    private final Placer placer;

    public ReservationPlanner(ClusterState state, Placer placer) {
        this.state = state;
        this.placer = placer;
    }

    /// Null when no end of other jobs would let the job start.
    ///
    /// @param view what the job may use
    public @Nullable Plan plan(Job job, CapacityView view, Instant now) {
        for (boolean sure : new boolean[] {false, true}) {
            try (Trial trial = state.trial()) {
                var ending = new ArrayList<Job>();
                if (!letEnd(job, view, ending, trial, sure)) {
                    return null;
                }
                Placer.Found found = placer.find(job, view);
                if (found != null) {
                    Instant from =
                            ending.isEmpty() ? now : state.runs().expectedEnd(ending.getLast());
                    Instant soonest = now.plus(OVERDUE);
                    return new Plan(
                            held(found.placement().slots(), ending),
                            from.isBefore(soonest) ? soonest : from);
                }
            }
        }
        return null;
    }

    /// When several equal jobs that cannot start now could, one after the other, the earliest
    /// first. All of them hold what they got. The search is bounded, so there may be fewer than
    /// asked for.
    ///
    /// @param view what the job may use
    /// @param count how many such jobs there are
    /// @param most how many ends of other jobs are tried at most
    public List<Start> starts(Job job, CapacityView view, int count, int most, Instant now) {
        var starts = new ArrayList<Start>();
        try (Trial trial = state.trial()) {
            GangCapacity gangCapacity = placer.headroom(job, view, false);
            var ends = state.runs().byExpectedEnd().iterator();
            int tried = 0;
            int looks = most * LOOKS;
            while (starts.size() < count && tried < most && looks > 0 && ends.hasNext()) {
                Job next = ends.next();
                looks--;
                if (!state.runs().isEndless(next) && frees(next, gangCapacity)) {
                    tried++;
                    Run run = Objects.requireNonNull(next.phase().run());
                    trial.evict(run, gangCapacity::changed);
                    Instant end = state.runs().expectedEnd(next);
                    var start = new Start(end.isAfter(now) ? end : now.plus(OVERDUE), next.id());
                    int more = count - starts.size();
                    int placed = placed(job, view, more, gangCapacity, trial);
                    starts.addAll(Collections.nCopies(placed, start));
                }
            }
        }
        return starts;
    }

    private static boolean frees(Job ending, GangCapacity gangCapacity) {
        for (Slot slot : Objects.requireNonNull(ending.phase().run()).on().slots()) {
            if (gangCapacity.couldUse(slot.node())) {
                return true;
            }
        }
        return false;
    }

    /// Places as many as fit, and returns how many did.
    private int placed(
            Job job, CapacityView view, int most, GangCapacity gangCapacity, Trial trial) {
        for (int placed = 0; placed < most; placed++) {
            Placer.Found found = gangCapacity.isEnough() ? placer.find(job, view) : null;
            if (found == null) {
                return placed;
            }
            for (Slot slot : found.placement().slots()) {
                trial.place(slot);
                gangCapacity.changed(Objects.requireNonNull(state.nodes().find(slot.node())));
            }
        }
        return most;
    }

    /// Evicts the jobs that must end before `job` fits, and adds them to `ending`; returns whether
    /// that is enough.
    private boolean letEnd(
            Job job, CapacityView view, List<Job> ending, Trial trial, boolean sure) {
        GangCapacity gangCapacity = placer.headroom(job, view, sure);
        if (!gangCapacity.isExact()) {
            state.runs().byExpectedEnd().forEach(ending::add);
            ending.removeIf(state.runs()::isEndless);
            int enough = fewestThatSuffice(job, view, ending, trial);
            ending.subList(Math.max(0, enough), ending.size()).clear();
            trial.undo(0);
            evict(ending, 0, ending.size(), trial);
            return enough >= 0;
        }
        var ends = state.runs().byExpectedEnd().iterator();
        while (!gangCapacity.isEnough() && ends.hasNext()) {
            Job next = ends.next();
            if (state.runs().isEndless(next)) {
                continue;
            }
            ending.add(next);
            trial.evict(Objects.requireNonNull(next.phase().run()), gangCapacity::changed);
        }
        return gangCapacity.isEnough();
    }

    private int fewestThatSuffice(Job job, CapacityView view, List<Job> ends, Trial trial) {
        int tooFew = 0;
        int evicted = 0;
        for (int step = 1; evicted < ends.size(); step *= 2) {
            tooFew = evicted;
            int next = Math.min(ends.size(), evicted + step);
            evict(ends, evicted, next, trial);
            evicted = next;
            if (placer.find(job, view) != null) {
                return halve(job, view, ends.subList(0, evicted), tooFew, trial);
            }
        }
        return -1;
    }

    /// The smallest number of `ends` that suffices, given that all of them do.
    private int halve(Job job, CapacityView view, List<Job> ends, int tooFew, Trial trial) {
        int low = tooFew;
        int high = ends.size();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            trial.undo(0);
            evict(ends, 0, middle, trial);
            if (placer.find(job, view) != null) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private static void evict(List<Job> jobs, int from, int to, Trial trial) {
        for (int i = from; i < to; i++) {
            trial.evict(Objects.requireNonNull(jobs.get(i).phase().run()));
        }
    }

    private static List<Slot> held(List<Slot> slots, List<Job> ending) {
        var returned = new LinkedHashMap<NodeId, Resources>();
        for (Job job : ending) {
            Run run = Objects.requireNonNull(job.phase().run());
            for (Slot slot : run.on().slots()) {
                returned.merge(slot.node(), slot.host(), Resources::plus);
            }
        }
        var held = new ArrayList<Slot>(slots.size());
        for (Slot slot : slots) {
            held.add(
                    new Slot(
                            slot.node(),
                            slot.role(),
                            slot.rank(),
                            slot.grant(),
                            keep(slot, returned)));
        }
        return held;
    }

    /// What must stay free now of what the slot needs; consumes what will be freed.
    private static Resources keep(Slot slot, Map<NodeId, Resources> returned) {
        Resources back = returned.getOrDefault(slot.node(), Resources.NONE);
        Resources need = slot.host();
        returned.put(
                slot.node(),
                new Resources(
                        Math.max(0, back.milliCpu() - need.milliCpu()),
                        Math.max(0, back.memoryMiB() - need.memoryMiB())));
        return new Resources(
                Math.max(0, need.milliCpu() - back.milliCpu()),
                Math.max(0, need.memoryMiB() - back.memoryMiB()));
    }
}
