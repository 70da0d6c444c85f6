package io.gpusched.agent;

import io.gpusched.wire.proto.agent.NodeFacts;

/// One node that the agent serves: its facts, reported once, and the probe that reads its GPUs.
public record ServedNode(NodeFacts facts, GpuProbe probe) {
    public String id() {
        return facts.getNodeId();
    }
}
