package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Marks GPUs unfit while they hold a task that did not stop in time, so that administrators see
/// them. It removes the mark when the task is gone; reports of sensors in between do not remove it.
final class UnstoppableTasks {
    private UnstoppableTasks() {}

    /// Marks every GPU that a task of the run still holds.
    static List<Event> mark(ClusterState state, Job job, Run run, Instant now) {
        return change(
                state,
                run,
                now,
                GpuCondition::fit,
                present -> new GpuCondition(present.heat(), false, reason(job.id())));
    }

    /// Removes the marks of the job's run.
    static List<Event> clear(ClusterState state, Job job, Run run, Instant now) {
        return change(
                state,
                run,
                now,
                condition -> !condition.fit() && condition.reason().equals(reason(job.id())),
                present -> new GpuCondition(present.heat(), true, ""));
    }

    /// The condition of the GPU when a sensor reports `told`: the mark stays.
    static GpuCondition keep(NodeView node, int gpu, GpuCondition told) {
        GpuCondition present = node.condition(gpu);
        if (!told.fit()) {
            return told;
        }
        for (JobId job : node.jobs()) {
            if (present.reason().equals(reason(job))) {
                return new GpuCondition(told.heat(), false, present.reason());
            }
        }
        return told;
    }

    private static String reason(JobId job) {
        return "a task of " + job + " did not stop";
    }

    private interface Change {
        GpuCondition from(GpuCondition present);
    }

    private static List<Event> change(
            ClusterState state,
            Run run,
            Instant now,
            Predicate<GpuCondition> which,
            Change change) {
        var events = new ArrayList<Event>();
        for (Slot slot : run.on().slots()) {
            NodeView node = state.nodes().find(slot.node());
            long there = node == null ? 0 : slot.grant().mask() & node.facts().allGpus();
            for (long rest = there; node != null && rest != 0; rest &= rest - 1) {
                int gpu = Long.numberOfTrailingZeros(rest);
                GpuCondition present = node.condition(gpu);
                if (which.test(present)) {
                    events.add(new Event.GpuChanged(now, slot.node(), gpu, change.from(present)));
                }
            }
        }
        return events;
    }
}
