package io.gpusched.sim.scenario;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Something that goes wrong, at a time after the scenario's start.
public sealed interface Fault {
    Duration at();

    /// The node's agent can no longer be heard, nor hear.
    ///
    /// @param backAfter when it greets again; null for never
    /// @param keepsRunning whether only the network broke: its tasks go on until the agent's lease
    ///        is over. Otherwise the machine went down and its tasks with it.
    record NodeLost(Duration at, NodeId node, @Nullable Duration backAfter, boolean keepsRunning)
            implements Fault {}

    /// The agent's process starts again: its tasks live on and it greets anew.
    record AgentRestarted(Duration at, NodeId node) implements Fault {}

    /// For a while, tasks on the node take longer to get ready and to start.
    record SlowStart(Duration at, NodeId node, Duration by, Duration lasts) implements Fault {}

    /// For a while, the node refuses to start anything.
    record StartsRefused(Duration at, NodeId node, Duration lasts) implements Fault {}

    /// For a while, each message between any agent and the scheduler may break its connection, or
    /// come again later.
    record BadNetwork(Duration at, double lose, double duplicate, Duration lasts)
            implements Fault {}

    /// For a while, GPUs are too hot.
    record GpusHot(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// For a while, GPUs are broken.
    record GpusUnfit(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// For a while, the node has only its first GPUs; tasks on the others die.
    record GpusGone(Duration at, NodeId node, int left, Duration lasts) implements Fault {}

    /// For a while, somebody else uses GPUs of the node.
    record ForeignUse(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// The scheduler ends without a warning and another takes charge from its journal.
    record SchedulerRestarted(Duration at) implements Fault {}
}
