package io.gpusched.core.nodes;

import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;

import java.util.List;

/// A node on which capacity is claimed, as [ShownNodes] shows it.
final class ShownNode implements NodeView {
    private final NodeEntry entry;
    private final HiddenCapacity hidden;

    ShownNode(NodeEntry entry, HiddenCapacity hidden) {
        this.entry = entry;
        this.hidden = hidden;
    }

    /// The underlying node, without any view.
    static NodeView itself(NodeView node) {
        return node instanceof ShownNode shown ? shown.entry : node;
    }

    @Override
    public long freeGpus() {
        return entry.freeGpus(hidden);
    }

    @Override
    public int leftMilli(int gpu) {
        return entry.leftMilli(gpu, hidden);
    }

    @Override
    public int leftMemoryMiB(int gpu) {
        return entry.leftMemoryMiB(gpu, hidden);
    }

    @Override
    public int takenSlices(int gpu) {
        return entry.takenSlices(gpu, hidden);
    }

    @Override
    public long freeMilliCpu() {
        return entry.freeMilliCpu(hidden);
    }

    @Override
    public long freeMemoryMiB() {
        return entry.freeMemoryMiB(hidden);
    }

    @Override
    public Node facts() {
        return entry.facts();
    }

    @Override
    public NodeStatus status() {
        return entry.status();
    }

    @Override
    public int index() {
        return entry.index();
    }

    @Override
    public long idleGpus() {
        return entry.idleGpus();
    }

    @Override
    public long hotGpus() {
        return entry.hotGpus();
    }

    @Override
    public long unfitGpus() {
        return entry.unfitGpus();
    }

    @Override
    public long sharedGpus() {
        return entry.sharedGpus();
    }

    @Override
    public long slicedGpus() {
        return entry.slicedGpus();
    }

    @Override
    public long version() {
        return entry.version();
    }

    @Override
    public boolean isClaimed() {
        return entry.isClaimed();
    }

    @Override
    public List<RefusedStart> refusals() {
        return entry.refusals();
    }

    @Override
    public GpuCondition condition(int gpu) {
        return entry.condition(gpu);
    }

    @Override
    public int tasks() {
        return entry.tasks();
    }

    @Override
    public Iterable<JobId> jobs() {
        return entry.jobs();
    }

    @Override
    public List<ForeignTask> foreign() {
        return entry.foreign();
    }
}
