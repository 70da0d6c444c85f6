package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.NodeId;
import io.gpusched.sim.SimulatedMachine.TaskKey;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;

/// An event of a simulation at a planned time.
sealed interface SimEvent {
    /// A job is submitted.
    record Arrives(Arrival arrival) implements SimEvent {}

    /// A user or administrator acts.
    record Acts(UserAction userAction) implements SimEvent {}

    /// A fault begins.
    record FaultStarts(Fault fault) implements SimEvent {}

    /// A fault ends.
    record FaultEnds(Fault fault) implements SimEvent {}

    /// A report reaches the scheduler.
    record Tells(Report report) implements SimEvent {}

    /// An assignment reaches its agent.
    record Delivers(Assignment assignment) implements SimEvent {}

    /// A task has finished its present phase.
    record TaskDue(AgentId agent, TaskKey task, int timer) implements SimEvent {}

    /// The measured use of a task's GPUs changes: idle for this long, or busy again if zero.
    record UseMeasured(AgentId agent, TaskKey task, Duration idleFor) implements SimEvent {}

    /// A node has finished loading a model.
    record ModelLoaded(AgentId agent, NodeId node, int number) implements SimEvent {}

    /// A disconnected agent reconnects.
    record Reconnects(AgentId agent, int wayBack) implements SimEvent {}

    /// The lease of a disconnected agent expires.
    record LeaseEnds(AgentId agent, int outage) implements SimEvent {}

    /// The scheduler notices that an agent has been silent for the timeout `silent`, or with
    /// `fenced` for the timeout `fenced`.
    record Missed(AgentId agent, int outage, boolean fenced) implements SimEvent {}
}
