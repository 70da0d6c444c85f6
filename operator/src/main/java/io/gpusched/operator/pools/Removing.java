package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.DateTimeException;
import java.time.Instant;

/// Removes what was deleted in the cluster from the scheduler, and then lets the object go. A pool
/// goes when its replicas have stopped.
///
/// An object never waits for ever: after a while it is let go whatever the scheduler says, with an
/// event that names what is left to do. A pool that is left behind so is removed later, because its
/// replicas carry the cluster and the cluster has no object for it.
final class Removing {
    private static final Logger log = LoggerFactory.getLogger(Removing.class);

    private final PoolServer server;
    private final Finalizer finalizer;
    private final ObjectEvents events;
    private final PoolSettings settings;
    private final ServerNames names;

    Removing(PoolServer server, Finalizer finalizer, ObjectEvents events, PoolSettings settings) {
        this.server = server;
        this.finalizer = finalizer;
        this.events = events;
        this.settings = settings;
        this.names = new ServerNames(settings.names());
    }

    /// @param row the pool at the scheduler; missing where none is known
    /// @return whether the object has been let go
    boolean step(ObjectKey key, ObjectNode object, JsonNode row, Instant now) {
        if (!Finalizer.isOn(object)) {
            return true;
        }
        String name = names.of(key);
        String trouble = isOfAnother(row) ? "" : remove(key, name);
        if (trouble.isEmpty()) {
            finalizer.remove(key, object);
            log.info("removed {}", key);
            return true;
        }
        if (now.isBefore(deletedAt(object, now).plus(settings.removal()))) {
            return false;
        }
        String words =
                "let go before the scheduler has removed %s: %s; look at it with %s"
                        .formatted(name, trouble, look(key.kind(), name));
        log.warn("{}: {}", key, words);
        events.warn(key, object, "RemovalTimedOut", words);
        finalizer.remove(key, object);
        return true;
    }

    /// What still has to happen; empty when it is gone.
    private String remove(ObjectKey key, String name) {
        try {
            server.remove(key.kind(), name);
            return key.kind() == PoolKind.AGENT_POOL ? "its replicas have not stopped" : "";
        } catch (ServerFault e) {
            return e.isNotFound() ? "" : String.valueOf(e.getMessage());
        }
    }

    private boolean isOfAnother(JsonNode row) {
        String cluster = row.at("/replica/labels").path(ReplicaPods.CLUSTER_LABEL).asText("");
        return !row.isMissingNode() && !cluster.equals(settings.cluster());
    }

    private static Instant deletedAt(ObjectNode object, Instant now) {
        try {
            return Instant.parse(object.at("/metadata/deletionTimestamp").asText());
        } catch (DateTimeException e) {
            log.debug("no time of deletion", e);
            return now;
        }
    }

    private static String look(PoolKind kind, String name) {
        return switch (kind) {
            case AGENT_POOL -> "gpu-cli pool show " + name;
            case AGENT_CLASS -> "gpu-cli classes";
            case MODEL -> "gpu-cli models show " + name;
            case TOOL_BINDING -> "GET /api/v1/bindings/" + name;
        };
    }
}
