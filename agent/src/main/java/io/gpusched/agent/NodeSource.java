package io.gpusched.agent;

import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodesChanged;

import java.util.List;

/// The nodes of an agent that speaks for a whole cluster: they come, change and go while it runs.
/// Any thread may ask.
public interface NodeSource {
    /// Calls `changed`, from any thread, when [#changes] may have a new answer.
    void watch(Runnable changed);

    /// All nodes, for a registration.
    List<NodeFacts> registered();

    /// What changed since the last [#registered], and the foreign use of all nodes. It follows the
    /// Hello of a session.
    NodesChanged sinceRegistered();

    /// What changed since the last call of this method or of [#sinceRegistered].
    NodesChanged changes();
}
