/// Converts between the agent protocol and the records of the core.
///
/// Read [io.gpusched.wire.agent.AgentCodec] first; `agent.proto` explains the messages. Only
/// conversions belong here: no connections, no state, no scheduling rules.
@NullMarked
package io.gpusched.wire.agent;

import org.jspecify.annotations.NullMarked;
