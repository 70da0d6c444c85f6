package io.gpusched.core.state;

import io.gpusched.core.model.Foreign;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;

import java.util.List;

/// A node as rules see it. While a job is being tried, what is free is what *that job* may use:
/// capacity promised to others is not shown to it.
public interface NodeView {
    Node facts();

    NodeStatus status();

    /// The node's place in the ledger; the tie-breaker between nodes that are otherwise equal.
    int index();

    /// GPUs that are fit, not in use and not promised to somebody else, one bit each.
    long freeGpus();

    /// GPUs that are fit and not in use, whoever may be promised them.
    long idleGpus();

    /// GPUs too hot to take new work.
    long hotGpus();

    /// GPUs that must not be used, for the reason in their condition.
    long unfitGpus();

    long freeMilliCpu();

    long freeMemoryMiB();

    /// How the GPU with this index is doing.
    GpuCondition condition(int gpu);

    /// How many tasks hold something here.
    int tasks();

    /// The jobs that hold something here.
    Iterable<JobId> jobs();

    /// What others use here.
    List<Foreign> foreign();
}
