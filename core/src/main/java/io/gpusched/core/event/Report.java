package io.gpusched.core.event;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.HeldModel;
import io.gpusched.core.pool.PoolId;

import java.time.Duration;
import java.util.List;

/// A report of an agent, or of the server about an agent. The cell accepts a stale or repeated
/// report without any effect; it never fails a check.
public sealed interface Report extends Input {
    /// An agent registers, or registers again after an interruption. Its list is complete: a task
    /// that the ledger believes to be running there but `running` does not list has been lost.
    record Hello(Agent agent, List<Node> nodes, List<Seen> running) implements Report {
        public Hello {
            nodes = List.copyOf(nodes);
            running = List.copyOf(running);
        }
    }

    /// A task that an agent has, and its state.
    record Seen(AttemptId attempt, int rank, TaskState state) {}

    record TaskPrepared(AttemptId attempt, int rank) implements Report {}

    record TaskRunning(AttemptId attempt, int rank) implements Report {}

    record TaskEnded(AttemptId attempt, int rank, Exit exit) implements Report {}

    /// A task has hardly used its GPUs for this long; zero when it uses them again. The server
    /// measures and judges: the cell receives only changes, not samples.
    record TaskUse(AttemptId attempt, int rank, Duration idleFor) implements Report {}

    /// The node cannot start the task; with a positive `retryAfter`, another start may succeed
    /// later.
    record StartRefused(AttemptId attempt, int rank, String reason, Duration retryAfter)
            implements Report {}

    /// The task cannot start, and neither the node nor the job is to blame: another system was
    /// faster, or withdrew the task.
    ///
    /// @param retryAfter how long to wait before the next try; zero for the usual time
    record StartWithdrawn(AttemptId attempt, int rank, String reason, Duration retryAfter)
            implements Report {}

    /// A node's description changed: labels, taints, GPUs that appeared or disappeared. A node that
    /// is not known joins.
    record NodeDescribed(Node node) implements Report {}

    /// These nodes of the agent no longer exist; their tasks are lost.
    record NodesGone(AgentId agent, List<NodeId> nodes) implements Report {
        public NodesGone {
            nodes = List.copyOf(nodes);
        }
    }

    record GpuChanged(NodeId node, int gpu, GpuCondition condition) implements Report {}

    /// All capacity of a node that other systems use now.
    record ForeignUsage(NodeId node, List<ForeignTask> all) implements Report {
        public ForeignUsage {
            all = List.copyOf(all);
        }
    }

    /// What a gateway, a scraper or a reader of queues saw of a pool.
    record PoolLoad(PoolId pool, io.gpusched.core.pool.PoolLoad load) implements Report {}

    /// A node holds a model, loads it, or no longer holds it.
    record ModelCached(NodeId node, String model, CacheState state) implements Report {}

    /// All that the cache of a node holds and loads.
    record NodeModels(NodeId node, List<HeldModel> models) implements Report {
        public NodeModels {
            models = List.copyOf(models);
        }
    }

    /// The node will be taken away soon (a spot instance).
    record InterruptionNotice(NodeId node, Duration in) implements Report {}

    /// No agent holds a lease longer than this from now on, and none will be granted.
    record LeaseBound(Duration lease) implements Report {}

    /// The scheduler could not send orders for this long, and can again.
    record OrdersDelayed(Duration by) implements Report {}

    /// The agent has sent nothing for a while.
    record Silent(AgentId agent) implements Report {}

    /// The agent has been silent for so long that its tasks have surely been stopped.
    record Fenced(AgentId agent) implements Report {}
}
