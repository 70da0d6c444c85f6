package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.Trial;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Finds when and where a job that cannot start now could start at the earliest, if running jobs
/// end when they are expected to.
///
/// Running jobs are taken away in the order of their expected ends until the job fits. More jobs
/// gone never makes it fit worse, so the number to take away is found by doubling and then halving,
/// with a few searches instead of one per running job.
final class Reserving {
    /// A job that is overdue is thought to end this much later, over and over.
    private static final Duration OVERDUE = Duration.ofSeconds(60);

    /// @param slots what to hold back from now on; of cores and memory only what will not be
    ///        returned by the jobs that end before
    record Plan(List<Slot> slots, Instant from) {}

    private final ClusterState state;
    private final Placing placing;

    Reserving(ClusterState state, Placing placing) {
        this.state = state;
        this.placing = placing;
    }

    /// Null when no end of others would let the job start.
    @Nullable Plan plan(Job job, Instant now) {
        var ends = new ArrayList<Job>();
        state.byExpectedEnd().forEach(ends::add);
        try (Trial trial = state.trial()) {
            int enough = fewestThatSuffice(job, ends, trial);
            if (enough < 0) {
                return null;
            }
            trial.undo(0);
            evict(ends, 0, enough, trial);
            Placing.Found found = Objects.requireNonNull(placing.find(job));
            Instant from = enough == 0 ? now : state.expectedEnd(ends.get(enough - 1));
            Instant soonest = now.plus(OVERDUE);
            return new Plan(
                    held(found.placement().slots(), ends.subList(0, enough)),
                    from.isBefore(soonest) ? soonest : from);
        }
    }

    private int fewestThatSuffice(Job job, List<Job> ends, Trial trial) {
        int tooFew = 0;
        int gone = 0;
        for (int step = 1; gone < ends.size(); step *= 2) {
            tooFew = gone;
            int next = Math.min(ends.size(), gone + step);
            evict(ends, gone, next, trial);
            gone = next;
            if (placing.find(job) != null) {
                return halve(job, ends, tooFew, gone, trial);
            }
        }
        return -1;
    }

    /// The smallest number in (tooFew, enough] that suffices.
    private int halve(Job job, List<Job> ends, int tooFew, int enough, Trial trial) {
        int low = tooFew;
        int high = enough;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            trial.undo(0);
            evict(ends, 0, middle, trial);
            if (placing.find(job) != null) {
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

    /// What must stay free now of what the slot needs; uses up what will be returned.
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
