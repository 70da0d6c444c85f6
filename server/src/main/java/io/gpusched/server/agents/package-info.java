/// The server's end of the agent protocol.
///
/// Read [io.gpusched.server.agents.AgentServices] first. It puts the parts together: the gRPC
/// service that agents connect to, the launcher that sends them assignments, the watch for silent
/// agents, their latest telemetry, and the relay for the output of tasks. Agents' reports enter the
/// cell through [io.gpusched.server.agents.ReportInbox].
///
/// Nothing here decides what runs where, and nothing here knows HTTP.
@NullMarked
package io.gpusched.server.agents;

import org.jspecify.annotations.NullMarked;
