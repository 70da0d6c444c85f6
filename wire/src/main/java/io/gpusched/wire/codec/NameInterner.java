package io.gpusched.wire.codec;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

/// Interns names that recur in nearly every event.
final class NameInterner {
    private static final int MOST = 1 << 15;

    private final Interner<String, TenantId> tenants = new Interner<>(MOST, TenantId::new);
    private final Interner<String, NodeId> nodes = new Interner<>(MOST, NodeId::new);
    private final Interner<String, AgentId> agents = new Interner<>(MOST, AgentId::new);
    private final Interner<String, String> texts = Interner.ofEqual(1 << 12);

    TenantId tenant(String name) {
        return tenants.of(name);
    }

    NodeId node(String name) {
        return nodes.of(name);
    }

    AgentId agent(String name) {
        return agents.of(name);
    }

    /// A text from a small set, such as the caller of a command.
    String text(String text) {
        return text.isEmpty() ? "" : texts.of(text);
    }
}
