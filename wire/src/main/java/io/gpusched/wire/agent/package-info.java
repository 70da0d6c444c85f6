/// The agent protocol in the words of the domain, and back.
///
/// Read [io.gpusched.wire.agent.AgentCodec] first; what the messages mean is written in
/// `agent.proto`. Only mapping lives here: no connection, no memory, no rule.
@NullMarked
package io.gpusched.wire.agent;

import org.jspecify.annotations.NullMarked;
