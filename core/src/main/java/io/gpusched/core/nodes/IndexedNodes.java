package io.gpusched.core.nodes;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import java.time.Instant;
import java.util.List;

/// The nodes of the ledger, with the index that searches for places use. Nothing here changes the
/// ledger for good.
public sealed interface IndexedNodes extends Nodes permits NodeLedger {
    NodeIndex index();

    /// The nodes of the agent, by index.
    List<NodeView> of(AgentId agent);

    /// How many nodes were read so far from the lists of all nodes and of an agent's nodes.
    long listed();

    /// Rises whenever any node may have more free capacity than before.
    long growth();

    /// Draining nodes whose deadline has passed: jobs must not run there any longer.
    List<NodeId> drainsDue(Instant now);

    /// The nodes that count as lost, by name.
    List<NodeId> lost();

    /// Whether a [Trial] that is open has evicted the job's run.
    boolean isAway(JobId job);

    /// A hypothesis over the nodes; close it before any event is applied.
    Trial trial();

    /// The nodes as `job` may use them if it ends by `endsBy`. A job that is `first` in the queue
    /// may use what a reservation keeps for a job behind it.
    ShownNodes shownTo(JobId job, Instant endsBy, boolean first);

    /// The nodes as a job may use them that knows when each reservation begins and ends.
    ShownNodes shownBy(ReservedCapacity reservedCapacity);
}
