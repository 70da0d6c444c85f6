package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes the statuses of all objects when something has changed that they may tell.
final class Statuses {
    private static final Logger log = LoggerFactory.getLogger(Statuses.class);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);

    private final StatusWriter writer;
    private final ObjectEvents events;
    private final Putting putting;
    private final PoolObjects objects;
    private final References references;
    private final ReplicaPods replicas;
    private final ServerNames names;
    private final Map<ObjectKey, String> sizes = new HashMap<>();
    private boolean changed = true;
    private boolean known = true;
    private Instant logAt = Instant.MIN;

    /// What the scheduler told last.
    private record Known(Map<String, JsonNode> pools, Map<String, JsonNode> models, String lost) {}

    Statuses(
            StatusWriter writer,
            ObjectEvents events,
            Putting putting,
            PoolObjects objects,
            References references,
            ReplicaPods replicas,
            ServerNames names) {
        this.writer = writer;
        this.events = events;
        this.putting = putting;
        this.objects = objects;
        this.references = references;
        this.replicas = replicas;
        this.names = names;
    }

    void changed() {
        changed = true;
    }

    void forget(ObjectKey key) {
        writer.forget(key);
        events.forget(key);
        sizes.remove(key);
        changed = true;
    }

    /// @param pools by name
    /// @param models by name
    /// @param lost why nothing of it is known any more; empty where it is
    void write(
            Map<String, JsonNode> pools, Map<String, JsonNode> models, String lost, Instant now) {
        if (!lost.isEmpty() == known) {
            known = lost.isEmpty();
            changed = true;
        }
        if (!changed) {
            return;
        }
        changed = false;
        for (PoolKind kind : PoolKind.values()) {
            for (ObjectKey key : objects.keys(kind)) {
                ObjectNode object = objects.find(key);
                boolean tried = !(putting.outcome(key) instanceof PutResult.Untried);
                if (object != null && tried && !Finalizer.isDeleted(object)) {
                    write(key, object, new Known(pools, models, lost), now);
                }
            }
        }
    }

    private void write(ObjectKey key, ObjectNode object, Known scheduler, Instant now) {
        PutResult outcome = putting.outcome(key);
        boolean lost = !scheduler.lost().isEmpty() && outcome instanceof PutResult.Accepted;
        var of =
                new StatusContext(
                        key,
                        object,
                        lost ? new PutResult.Postponed(scheduler.lost()) : outcome,
                        putting.observed(key),
                        references.missing(key, object),
                        now);
        String name = names.of(key);
        Map<String, JsonNode> pools = scheduler.pools();
        ObjectNode status =
                switch (key.kind()) {
                    case AGENT_POOL ->
                            new PoolStatus(of, name, row(pools, name), replicas.isRunnable(object))
                                    .build();
                    case AGENT_CLASS -> ofClass(of, pools);
                    case MODEL -> new ModelStatus(of, name, row(scheduler.models(), name)).build();
                    case TOOL_BINDING -> OtherStatus.ofBinding(of, name);
                };
        tell(of, row(pools, name));
        try {
            writer.write(key, object, status, figures(key.kind()), now);
        } catch (KubeException e) {
            changed = true;
            if (!now.isBefore(logAt)) {
                logAt = now.plus(LOG_EVERY);
                log.warn("the status of {} was not written: {}", key, e.getMessage());
            }
        }
    }

    private static JsonNode row(Map<String, JsonNode> rows, String name) {
        JsonNode found = rows.get(name);
        return found == null ? MissingNode.getInstance() : found;
    }

    private static Set<String> figures(PoolKind kind) {
        return switch (kind) {
            case AGENT_POOL -> PoolStatus.FIGURES;
            case MODEL -> ModelStatus.FIGURES;
            case AGENT_CLASS, TOOL_BINDING -> Set.of();
        };
    }

    private ObjectNode ofClass(StatusContext of, Map<String, JsonNode> pools) {
        List<String> found = new ArrayList<>();
        int instances = 0;
        for (ObjectKey pool : objects.keys(PoolKind.AGENT_POOL)) {
            ObjectNode object = objects.find(pool);
            if (object != null && References.agentClass(pool, object).equals(of.key())) {
                found.add(pool.namespace() + "/" + pool.name());
                instances += row(pools, names.of(pool)).at("/status/ready").asInt();
            }
        }
        return OtherStatus.ofClass(of, found, instances);
    }

    /// Tells with an event what was refused, and each change of a size.
    private void tell(StatusContext of, JsonNode row) {
        if (of.outcome() instanceof PutResult.Refused(var complaint)) {
            events.warn(of.key(), of.object(), "Refused", complaint.text());
        }
        JsonNode state = row.path("status");
        String decided = state.path("decided_at").asText("");
        if (of.key().kind() != PoolKind.AGENT_POOL || decided.isEmpty()) {
            return;
        }
        String before = sizes.put(of.key(), decided);
        if (before != null && !before.equals(decided)) {
            String words =
                    "%d replicas: %s"
                            .formatted(
                                    state.path("desired").asInt(), state.path("reason").asText(""));
            events.tell(of.key(), of.object(), "Scaled", words);
        }
    }
}
