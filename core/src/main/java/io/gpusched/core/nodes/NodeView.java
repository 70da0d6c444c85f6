package io.gpusched.core.nodes;

import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;

import java.util.List;

/// A node as rules see it. It shows as free what the job in question may use: capacity that other
/// jobs have claimed is hidden, see [ShownNodes].
public interface NodeView {
    Node facts();

    NodeStatus status();

    /// The node's index in the ledger; the tie-breaker between nodes that are otherwise equal.
    int index();

    /// GPUs that are fit, not in use and not claimed by another job, one bit each.
    long freeGpus();

    /// GPUs that are fit and not in use, claimed or not.
    long idleGpus();

    /// GPUs too hot to take new work.
    long hotGpus();

    /// GPUs that must not be used, for the reason in their condition.
    long unfitGpus();

    /// Thousandths of the GPU that another share could have: 1000 where it is idle, 0 where it is
    /// held whole or in slices, unfit, or claimed by another job.
    int leftMilli(int gpu);

    /// Memory of the GPU that another share could have, under the same conditions.
    int leftMemoryMiB(int gpu);

    /// MIG slices of the GPU that are taken or claimed by another job, one bit each; all bits
    /// where it is held whole or in shares, or unfit.
    int takenSlices(int gpu);

    /// GPUs on which shares are held, one bit each.
    long sharedGpus();

    /// GPUs on which MIG slices are held, one bit each.
    long slicedGpus();

    /// Whether everything in the grant is free now.
    default boolean hasFree(Grant grant) {
        return switch (grant) {
            case Grant.None none -> true;
            case Grant.Whole whole -> (whole.gpus() & ~freeGpus()) == 0;
            case Grant.Counted counted -> Long.bitCount(freeGpus()) >= counted.count();
            case Grant.Slices slices -> {
                boolean free = true;
                for (MigSlot slot : slices.at()) {
                    free &= (takenSlices(slot.gpu()) & PartialGpus.bits(slot)) == 0;
                }
                yield free;
            }
            case Grant.Shares shares -> {
                boolean free = true;
                for (long rest = shares.gpus(); rest != 0; rest &= rest - 1) {
                    int gpu = Long.numberOfTrailingZeros(rest);
                    free &= leftMilli(gpu) >= shares.milli();
                    free &= leftMemoryMiB(gpu) >= shares.memoryMiB();
                }
                yield free;
            }
        };
    }

    /// Increases with every change to the node: results computed at a version are valid while it
    /// lasts, as long as the node is not [#isClaimed].
    long version();

    /// Whether a claim names this node, so that what is free depends on the job in question.
    boolean isClaimed();

    long freeMilliCpu();

    long freeMemoryMiB();

    /// The condition of the GPU with this index.
    GpuCondition condition(int gpu);

    /// How many tasks hold something here.
    int tasks();

    /// The jobs that hold something here.
    Iterable<JobId> jobs();

    /// What other systems use here.
    List<ForeignTask> foreign();

    /// Jobs that it refused to start and that started elsewhere, the oldest first. Forgotten when a
    /// task starts here or the node is uncordoned.
    List<RefusedStart> refusals();
}
