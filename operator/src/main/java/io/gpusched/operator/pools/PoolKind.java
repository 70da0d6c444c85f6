package io.gpusched.operator.pools;

import io.gpusched.operator.kube.ResourceType;

/// The kinds of custom resources, in the order in which they are best put to the scheduler.
public enum PoolKind {
    MODEL("Model", "models"),
    AGENT_CLASS("AgentClass", "agentclasses"),
    AGENT_POOL("AgentPool", "agentpools"),
    TOOL_BINDING("ToolBinding", "toolbindings");

    private final ResourceType type;

    PoolKind(String kind, String plural) {
        this.type = new ResourceType("neuronetes.io", "v1alpha1", plural, kind, true);
    }

    public ResourceType type() {
        return type;
    }

    /// The kind as objects name it.
    String text() {
        return type.kind();
    }
}
