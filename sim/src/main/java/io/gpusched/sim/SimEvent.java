package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;

/// Something that will happen in a simulation at a certain time.
sealed interface SimEvent {
    /// A job is submitted.
    record Arrives(Arrival arrival) implements SimEvent {}

    /// A person does something.
    record Acts(UserAction userAction) implements SimEvent {}

    /// Something goes wrong.
    record FaultStarts(Fault fault) implements SimEvent {}

    /// What went wrong for a while is right again.
    record FaultEnds(Fault fault) implements SimEvent {}

    /// A report reaches the scheduler.
    record Tells(Report report) implements SimEvent {}

    /// An assignment reaches its agent.
    record Delivers(Assignment assignment) implements SimEvent {}

    /// A task has come to the end of what it was doing.
    record TaskDue(AgentId agent, TaskKey task, int timer) implements SimEvent {}

    /// Measured use of a task's GPUs turns: idle for so long by now, or, at zero, busy again.
    record UseMeasured(AgentId agent, TaskKey task, Duration idleFor) implements SimEvent {}

    /// An agent that lost its connection gets it back.
    record Reconnects(AgentId agent, int wayBack) implements SimEvent {}

    /// An agent has been cut off for as long as its lease lasts.
    record LeaseEnds(AgentId agent, int outage) implements SimEvent {}

    /// The scheduler notices that an agent has been silent for long, or with `fenced` for very
    /// long.
    record Missed(AgentId agent, int outage, boolean fenced) implements SimEvent {}
}
