package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.List;

/// A part of a job: between `min` and `max` tasks of one shape. A plain job has one role with one
/// task; a gang of N has one role with min = max = N.
public record Role(String name, Shape shape, int min, int max) {
    private static final String TASK = "task";

    /// The name of the role of a gang, also of a gang with one task.
    private static final String MEMBER = "member";

    public Role {
        Check.that(
                min >= 1 && max >= min,
                "a role has at least one task and max >= min, found %s to %s",
                min,
                max);
    }

    public static Role of(Shape shape, int tasks) {
        return new Role(TASK, shape, tasks, tasks);
    }

    /// The role of a job that was requested as a gang.
    public static Role ofGang(Shape shape, int tasks) {
        return new Role(MEMBER, shape, tasks, tasks);
    }

    Role avoiding(List<Avoidance> others) {
        return new Role(name, shape.avoiding(others), min, max);
    }

    Role on(CapacityRule capacity) {
        return new Role(name, shape.on(capacity), min, max);
    }

    boolean meets() {
        return min > 1 || name.equals(MEMBER);
    }

    /// The same whole GPUs, cores and memory divided into more, smaller tasks, the fewest tasks
    /// first; empty where the links between the GPUs of a task matter.
    public List<Role> cuts() {
        if (!(shape.gpus() instanceof GpuRequest.Whole whole) || whole.locality() != Locality.ANY) {
            return List.of();
        }
        var cuts = new ArrayList<Role>();
        int gpus = whole.count() * min;
        for (int each = whole.count() - 1; each >= 1; each--) {
            if (gpus % each == 0) {
                cuts.add(cut(whole, gpus / each));
            }
        }
        return cuts;
    }

    private Role cut(GpuRequest.Whole whole, int tasks) {
        Resources host = shape.host();
        var smaller =
                shape.withGpus(
                                new GpuRequest.Whole(
                                        whole.count() * min / tasks,
                                        whole.memoryMiB(),
                                        whole.locality(),
                                        whole.minBandwidth()))
                        .withHost(
                                new Resources(
                                        host.milliCpu() * min / tasks,
                                        host.memoryMiB() * min / tasks));
        return ofGang(smaller, tasks);
    }
}
