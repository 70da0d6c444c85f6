package io.gpusched.sim.scenario;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// A fault, at a time after the start of the scenario.
public sealed interface Fault {
    Duration at();

    /// The node's agent loses its connection.
    ///
    /// @param backAfter when the agent reconnects; null for never
    /// @param keepsRunning true if only the network failed: the tasks run until the agent's lease
    ///        expires. False if the machine went down and its tasks with it.
    record NodeLost(Duration at, NodeId node, @Nullable Duration backAfter, boolean keepsRunning)
            implements Fault {}

    /// The agent's process restarts: its tasks stay alive and it sends a new hello.
    record AgentRestarted(Duration at, NodeId node) implements Fault {}

    /// For a while, tasks on the node take longer to prepare and to start.
    record SlowStart(Duration at, NodeId node, Duration by, Duration lasts) implements Fault {}

    /// For a while, the node refuses to start tasks.
    record StartsRefused(Duration at, NodeId node, Duration lasts) implements Fault {}

    /// For a while, each message between an agent and the scheduler may be lost, which breaks its
    /// connection, or be delivered again later.
    record BadNetwork(Duration at, double lose, double duplicate, Duration lasts)
            implements Fault {}

    /// For a while, GPUs are too hot.
    record GpusHot(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// For a while, GPUs are broken.
    record GpusUnfit(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// For a while, the node has only its first GPUs; tasks on the others fail.
    record GpusGone(Duration at, NodeId node, int left, Duration lasts) implements Fault {}

    /// For a while, a process outside the scheduler uses GPUs of the node.
    record ForeignUse(Duration at, NodeId node, long gpus, Duration lasts) implements Fault {}

    /// The scheduler crashes and another takes charge from its journal.
    record SchedulerRestarted(Duration at) implements Fault {}
}
