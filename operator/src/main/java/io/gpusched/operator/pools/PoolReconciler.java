package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Brings the scheduler to what custom resources say, and their status to what the scheduler says.
///
/// It has no thread and no clock. Its owner tells it which objects there are, and lets it take a
/// turn about once a second; a turn does what is due:
///
///     state of pools → objects that changed are put to the scheduler, or removed → statuses
///
/// Whatever fails is tried again in a later turn, with longer and longer breaks. While the
/// scheduler cannot be reached, a turn asks it only one thing.
final class PoolReconciler {
    private static final Logger log = LoggerFactory.getLogger(PoolReconciler.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    /// How long a scheduler may be away before statuses are no longer believed.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration LATER = Duration.ofSeconds(30);
    private static final Duration LONGEST_BREAK = Duration.ofSeconds(30);
    private static final Duration MODELS_EVERY = Duration.ofSeconds(5);

    private final PoolServer server;
    private final PoolSettings settings;
    private final ServerNames names;
    private final Finalizer finalizer;
    private final Putting putting;
    private final Removing removing;
    private final Statuses statuses;
    private final PoolObjects objects;
    private final References references;
    private final Map<ObjectKey, Instant> due = new LinkedHashMap<>();
    private final Set<PoolKind> listed = new HashSet<>();
    private Map<String, JsonNode> pools = Map.of();
    private Map<String, JsonNode> models = Map.of();
    private boolean poolsKnown;
    private Instant pollAt = Instant.MIN;
    private Instant modelsAt = Instant.MIN;
    private Instant serverAt = Instant.MIN;
    private Duration serverBreak = SOON;
    private Instant troubleSince = Instant.MIN;

    /// Why the scheduler does not answer; empty where it does.
    private String trouble = "";

    PoolReconciler(
            KubeApi api,
            PoolServer server,
            NamespaceTenants tenants,
            ObjectEvents.Sink sink,
            PoolSettings settings) {
        this.server = server;
        this.settings = settings;
        this.names = new ServerNames(settings.names());
        this.finalizer = new Finalizer(api);
        this.objects = new PoolObjects();
        this.references = new References(objects, names);
        var replicas = new ReplicaPods(settings);
        var events = new ObjectEvents(sink);
        this.putting =
                new Putting(
                        server,
                        new Manifests(names, references, replicas),
                        replicas,
                        settings,
                        tenants);
        this.removing = new Removing(server, finalizer, events, settings);
        this.statuses =
                new Statuses(
                        new StatusWriter(api),
                        events,
                        putting,
                        objects,
                        references,
                        replicas,
                        names);
    }

    /// The object is there, new or changed.
    void put(PoolKind kind, ObjectNode object, Instant now) {
        ObjectKey key = ObjectKey.of(kind, object);
        objects.put(key, object);
        due.put(key, now);
        statuses.changed();
        if (kind == PoolKind.MODEL) {
            modelsChanged(now);
        }
    }

    void remove(PoolKind kind, String namespace, String name) {
        var key = new ObjectKey(kind, namespace, name);
        objects.remove(key);
        due.remove(key);
        putting.forget(key);
        statuses.forget(key);
    }

    /// All objects of the kind have been told.
    void listed(PoolKind kind) {
        listed.add(kind);
    }

    /// Names of models may lead elsewhere: what names models is put again if that is so.
    private void modelsChanged(Instant now) {
        for (PoolKind kind : List.of(PoolKind.AGENT_CLASS, PoolKind.AGENT_POOL, PoolKind.MODEL)) {
            objects.keys(kind).forEach(key -> due.put(key, now));
        }
    }

    /// Does what is due.
    void turn(Instant now) {
        if (isServerDue(now)) {
            poll(now);
        }
        for (ObjectKey key : dueAt(now)) {
            due.remove(key);
            ObjectNode object = objects.find(key);
            if (object != null) {
                guarded(key, object, now);
            }
        }
        boolean lost = !trouble.isEmpty() && now.isAfter(troubleSince.plus(PATIENCE));
        statuses.write(pools, models, lost ? trouble : "", now);
    }

    private List<ObjectKey> dueAt(Instant now) {
        var found = new ArrayList<ObjectKey>();
        for (PoolKind kind : PoolKind.values()) {
            due.forEach(
                    (key, at) -> {
                        if (key.kind() == kind && !at.isAfter(now)) {
                            found.add(key);
                        }
                    });
        }
        return found;
    }

    private boolean isServerDue(Instant now) {
        return !now.isBefore(serverAt);
    }

    private void guarded(ObjectKey key, ObjectNode object, Instant now) {
        try {
            step(key, object, now);
        } catch (ServerFault e) {
            serverFailed(e, now);
            due.put(key, serverAt);
        } catch (KubeException e) {
            boolean soon = e.isConflict() || e.isTransient();
            if (!soon && !e.isNotFound()) {
                log.warn("{}: {}; the next try is in {}", key, e.getMessage(), LATER);
            }
            due.putIfAbsent(key, now.plus(soon ? SOON : LATER));
        }
    }

    private void step(ObjectKey key, ObjectNode object, Instant now) {
        JsonNode row = row(key);
        if (Finalizer.isDeleted(object)) {
            if (!removing.step(key, object, row, now)) {
                due.put(key, now.plus(SOON));
            }
            return;
        }
        ObjectNode marked = object;
        if (!Finalizer.isOn(object)) {
            marked = finalizer.put(key, object);
            objects.put(key, marked);
        }
        if (!isServerDue(now) || !poolsKnown) {
            putting.postpone(key, marked, trouble);
            due.put(key, serverAt);
            return;
        }
        if (putting.put(key, marked, row, now)) {
            statuses.changed();
            pollAt = now;
        }
        due.putIfAbsent(key, now.plus(LATER));
    }

    private JsonNode row(ObjectKey key) {
        JsonNode found = key.kind() == PoolKind.AGENT_POOL ? pools.get(names.of(key)) : null;
        return found == null ? MissingNode.getInstance() : found;
    }

    private void serverFailed(ServerFault fault, Instant now) {
        if (trouble.isEmpty()) {
            log.warn("{}; trying again", fault.getMessage());
            troubleSince = now;
        }
        trouble = String.valueOf(fault.getMessage());
        serverAt = now.plus(serverBreak);
        Duration twice = serverBreak.multipliedBy(2);
        serverBreak = twice.compareTo(LONGEST_BREAK) < 0 ? twice : LONGEST_BREAK;
        statuses.changed();
    }

    private void poll(Instant now) {
        try {
            if (!now.isBefore(pollAt)) {
                pollAt = now.plus(settings.poll());
                pollPools(now);
                if (!trouble.isEmpty()) {
                    log.info("the scheduler answers again");
                    trouble = "";
                    serverBreak = SOON;
                    statuses.changed();
                }
            }
            if (!now.isBefore(modelsAt) && namesModels()) {
                modelsAt = now.plus(MODELS_EVERY);
                pollModels(now);
            }
        } catch (ServerFault e) {
            serverFailed(e, now);
        }
    }

    private boolean namesModels() {
        return !objects.keys(PoolKind.MODEL).isEmpty()
                || !objects.keys(PoolKind.AGENT_CLASS).isEmpty();
    }

    private void pollPools(Instant now) {
        List<JsonNode> changed = server.pools();
        if (changed != null) {
            pools = byName(changed);
            statuses.changed();
        }
        poolsKnown = true;
        for (ObjectKey key : objects.keys(PoolKind.AGENT_POOL)) {
            if (putting.outcome(key) instanceof PutResult.Accepted && row(key).isMissingNode()) {
                putting.again(key);
                due.put(key, now);
            }
        }
        removeOrphans();
    }

    /// Removes pools of this cluster for which it has no object.
    private void removeOrphans() {
        if (!poolsKnown || !listed.contains(PoolKind.AGENT_POOL)) {
            return;
        }
        var known = new HashSet<String>();
        objects.keys(PoolKind.AGENT_POOL).forEach(key -> known.add(names.of(key)));
        for (var each : pools.entrySet()) {
            JsonNode labels = each.getValue().at("/replica/labels");
            boolean ours =
                    labels.path(ReplicaPods.CLUSTER_LABEL).asText("").equals(settings.cluster());
            if (ours && !known.contains(each.getKey())) {
                log.info("removing pool {}: the cluster has no AgentPool for it", each.getKey());
                server.remove(PoolKind.AGENT_POOL, each.getKey());
            }
        }
    }

    private void pollModels(Instant now) {
        Map<String, JsonNode> found = byName(server.models());
        if (!found.equals(models)) {
            models = found;
            statuses.changed();
            if (references.know(found.keySet())) {
                modelsChanged(now);
            }
        }
    }

    private static Map<String, JsonNode> byName(List<JsonNode> rows) {
        var all = new HashMap<String, JsonNode>();
        rows.forEach(row -> all.put(row.path("name").asText(), row));
        return all;
    }
}
