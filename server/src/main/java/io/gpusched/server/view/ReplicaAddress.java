package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

/// Where clients reach a replica: the address of its node, and its port.
public final class ReplicaAddress {
    private ReplicaAddress() {}

    /// Null while the replica is not placed, or where the pool serves no port.
    public static @Nullable String of(PoolRow row, ReplicaRow replica, View view) {
        int port = row.pool().serving().port();
        NodeId node = replica.node();
        NodeRow on = node == null ? null : view.nodes().row(node);
        if (port == 0 || on == null) {
            return null;
        }
        String host = on.facts().address();
        String written = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return (written.isEmpty() ? on.facts().id().name() : written)
                + ":"
                + (port + replica.number());
    }
}
