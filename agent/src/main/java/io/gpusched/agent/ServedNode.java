package io.gpusched.agent;

import io.gpusched.agent.notice.Notices;
import io.gpusched.wire.proto.agent.NodeFacts;

/// One node that the agent serves: its facts, reported once, the probe that reads its GPUs, and
/// whether its provider will take it away.
public record ServedNode(NodeFacts facts, GpuProbe probe, Notices notices) {
    /// A node that nobody takes away.
    public ServedNode(NodeFacts facts, GpuProbe probe) {
        this(facts, probe, Notices.NONE);
    }

    public String id() {
        return facts.getNodeId();
    }
}
