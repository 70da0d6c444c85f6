/// The server's end of the agent protocol.
///
/// Read [io.gpusched.server.agents.AgentServices] first, which puts the parts together: a gRPC
/// service that listens to agents, a launcher that carries desired state to them, a watch that
/// measures their silence, their latest readings, and a relay for the output of tasks. What agents
/// tell enters the cell through [io.gpusched.server.agents.ReportInbox].
///
/// Nothing here decides what runs where, and nothing here knows HTTP.
@NullMarked
package io.gpusched.server.agents;

import org.jspecify.annotations.NullMarked;
