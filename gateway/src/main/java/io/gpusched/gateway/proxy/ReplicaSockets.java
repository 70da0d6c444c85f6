package io.gpusched.gateway.proxy;

import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.pool.ServedReplica;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// Connections to replicas that carry no request and can carry the next one.
final class ReplicaSockets {
    /// Shorter than the five seconds after which common servers close an idle connection.
    private static final Duration KEEP = Duration.ofSeconds(4);

    private final EventLoop loop;
    private final ProxyLimits.Timeouts timeouts;
    private final Map<ServedReplica, ArrayDeque<ReplicaSocket>> idle = new HashMap<>();

    ReplicaSockets(EventLoop loop, ProxyLimits.Timeouts timeouts) {
        this.loop = loop;
        this.timeouts = timeouts;
    }

    /// The connection that was used last, or a new one.
    ReplicaSocket take(ServedReplica replica, ReplicaSocket.Owner owner, boolean fresh)
            throws IOException {
        ArrayDeque<ReplicaSocket> kept = idle.get(replica);
        ReplicaSocket socket = kept == null || fresh ? null : kept.pollLast();
        return socket != null ? socket : new ReplicaSocket(loop, replica, owner, timeouts);
    }

    void give(ReplicaSocket socket) {
        if (socket.isOpen()) {
            idle.computeIfAbsent(socket.replica(), _ -> new ArrayDeque<>()).addLast(socket);
        }
    }

    void remove(ReplicaSocket socket) {
        ArrayDeque<ReplicaSocket> kept = idle.get(socket.replica());
        if (kept != null) {
            kept.remove(socket);
            if (kept.isEmpty()) {
                idle.remove(socket.replica());
            }
        }
    }

    /// Closes connections that were idle for too long.
    void sweep(long now) {
        for (ServedReplica replica : idle.keySet().toArray(ServedReplica[]::new)) {
            ArrayDeque<ReplicaSocket> kept = idle.get(replica);
            while (kept != null && !kept.isEmpty()) {
                ReplicaSocket oldest = kept.peekFirst();
                if (oldest == null || now - oldest.idleSince() < KEEP.toNanos()) {
                    break;
                }
                oldest.close();
            }
        }
    }
}
