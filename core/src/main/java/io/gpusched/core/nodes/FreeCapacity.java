package io.gpusched.core.nodes;

import io.gpusched.core.model.Capacity;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Shape;

import java.util.ArrayList;
import java.util.List;

/// What is free on all open nodes together, by counts: enough to estimate whether a task fits,
/// without looking at any node. Only a search gives the exact answer, because labels, taints,
/// claims and the cores of single nodes do not count here.
///
/// It is a picture of one moment. Making it costs one step for each kind of node and each number of
/// idle GPUs, whatever the number of nodes.
public final class FreeCapacity {
    /// Nodes whose GPUs are of one model.
    private static final class Kind {
        final GpuModel model;

        /// How many nodes have each number of idle GPUs.
        final int[] nodes = new int[Gpu.MOST_PER_NODE + 1];

        /// The most that any shared GPU has left, in thousandths.
        int shared;

        Kind(GpuModel model) {
            this.model = model;
        }

        long tasks(int gpus) {
            long tasks = 0;
            for (int idle = gpus; idle < nodes.length; idle++) {
                tasks += (long) nodes[idle] * (idle / gpus);
            }
            return tasks;
        }

        long idle() {
            return tasks(1);
        }
    }

    private final Capacity capacity;
    private final long milliCpu;
    private final long memoryMiB;
    private final List<Kind> kinds = new ArrayList<>();
    private long idleGpus;

    FreeCapacity(NodeIndex index, Capacity capacity, long milliCpu, long memoryMiB) {
        this.capacity = capacity;
        this.milliCpu = milliCpu;
        this.memoryMiB = memoryMiB;
        for (int group = 0; group < index.groups(); group++) {
            List<Gpu> gpus = index.sample(group).facts().gpus();
            if (!gpus.isEmpty()) {
                count(index, group, kind(gpus.getFirst().model()), gpus.size());
            }
        }
        for (Kind kind : kinds) {
            idleGpus += kind.idle();
        }
    }

    private Kind kind(GpuModel model) {
        for (Kind kind : kinds) {
            if (kind.model.equals(model)) {
                return kind;
            }
        }
        var kind = new Kind(model);
        kinds.add(kind);
        return kind;
    }

    private static void count(NodeIndex index, int group, Kind kind, int gpus) {
        for (int idle = 1; idle <= gpus; idle++) {
            kind.nodes[idle] += index.count(group, NodeIndex.idle(idle));
        }
        for (int left = 1000; left > kind.shared; left -= 10) {
            if (!index.isEmpty(group, NodeIndex.shared(left))) {
                kind.shared = left;
            }
        }
    }

    /// What the open nodes have, in use or not.
    public Capacity capacity() {
        return capacity;
    }

    /// Free cores, in thousandths.
    public long milliCpu() {
        return milliCpu;
    }

    public long memoryMiB() {
        return memoryMiB;
    }

    /// GPUs of which no task uses any part.
    public long idleGpus() {
        return idleGpus;
    }

    /// Idle GPUs of the models that the shape accepts.
    public long idleGpus(Shape shape) {
        long idle = 0;
        for (Kind kind : kinds) {
            idle += shape.acceptsModel(kind.model) ? kind.idle() : 0;
        }
        return idle;
    }

    /// How many tasks of the shape the GPUs, cores and memory would take.
    public long tasks(Shape shape) {
        long byCpu = times(milliCpu, shape.host().milliCpu());
        long byMemory = times(memoryMiB, shape.host().memoryMiB());
        return Math.min(byGpus(shape), Math.min(byCpu, byMemory));
    }

    private static long times(long free, long each) {
        return each == 0 ? Long.MAX_VALUE : Math.max(0, free) / each;
    }

    private long byGpus(Shape shape) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> Long.MAX_VALUE;
            case GpuRequest.Whole whole -> wholeTasks(shape, whole.count());
            case GpuRequest.Share share ->
                    wholeTasks(shape, share.count()) * (1000 / share.milli())
                            + (share.count() == 1 && mostShared(shape) >= share.milli() ? 1 : 0);
            case GpuRequest.Slice slice -> wholeTasks(shape, 1);
        };
    }

    private long wholeTasks(Shape shape, int gpus) {
        long tasks = 0;
        for (Kind kind : kinds) {
            tasks += shape.acceptsModel(kind.model) ? kind.tasks(gpus) : 0;
        }
        return tasks;
    }

    private int mostShared(Shape shape) {
        int most = 0;
        for (Kind kind : kinds) {
            most = shape.acceptsModel(kind.model) ? Math.max(most, kind.shared) : most;
        }
        return most;
    }
}
