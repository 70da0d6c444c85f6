package io.gpusched.agent;

import io.gpusched.wire.proto.agent.NodeFacts;

/// One node the agent speaks for: what it tells of it once, and where it reads its GPUs.
public record ServedNode(NodeFacts facts, GpuProbe probe) {
    public String id() {
        return facts.getNodeId();
    }
}
