package io.gpusched.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.CacheListener;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceCache;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.pods.GroupTypes;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Everything of the cluster that the operator follows: nodes, pods, namespaces, volumes, and the
/// groups of pods that the cluster knows.
final class ClusterCaches implements ClusterObjects, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterCaches.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KubeApi api;
    private final Map<ResourceType, ResourceCache<JsonNode>> caches = new LinkedHashMap<>();

    /// Hears changes of one type, on a thread of that type.
    interface Changes {
        void put(JsonNode object);

        void remove(JsonNode last);
    }

    /// @param nodes hears changes of nodes
    /// @param pods hears changes of pods
    /// @param others hears that anything else has changed
    ClusterCaches(KubeApi api, String schedulerName, Changes nodes, Changes pods, Runnable others) {
        this.api = api;
        var podSlice = new PodSlice(schedulerName);
        Changes any =
                new Changes() {
                    @Override
                    public void put(JsonNode object) {
                        others.run();
                    }

                    @Override
                    public void remove(JsonNode last) {
                        others.run();
                    }
                };
        follow(ResourceType.NODES, ClusterCaches::node, nodes);
        follow(ResourceType.PODS, podSlice::of, pods);
        for (ResourceType type :
                List.of(
                        ResourceType.NAMESPACES,
                        ResourceType.VOLUME_CLAIMS,
                        ResourceType.VOLUMES,
                        ResourceType.STORAGE_CLASSES)) {
            follow(type, ClusterCaches::light, any);
        }
        for (ResourceType type : GroupTypes.all()) {
            if (isServed(type)) {
                follow(type, ClusterCaches::light, any);
            }
        }
    }

    private void follow(
            ResourceType type, ResourceCache.Projection<JsonNode> projection, Changes changes) {
        caches.put(
                type,
                new ResourceCache<>(
                        api,
                        new ResourceCache.Followed<>(type, ListQuery.all(), projection),
                        new CacheListener<>() {
                            @Override
                            public void added(JsonNode now) {
                                changes.put(now);
                            }

                            @Override
                            public void modified(JsonNode before, JsonNode now) {
                                changes.put(now);
                            }

                            @Override
                            public void deleted(JsonNode last) {
                                changes.remove(last);
                            }
                        }));
    }

    /// Whether the cluster knows a type, for example by a CRD.
    private boolean isServed(ResourceType type) {
        try {
            for (JsonNode one : api.get("/apis/" + type.apiVersion()).path("resources")) {
                if (one.path("name").asText().equals(type.plural())) {
                    return true;
                }
            }
            return false;
        } catch (KubeException e) {
            if (!e.isNotFound()) {
                log.warn("cannot find out whether there are {}: {}", type, e.getMessage());
            }
            return false;
        }
    }

    /// Reads everything once.
    ///
    /// @throws KubeException if the API server does not tell something that is needed
    void start() throws InterruptedException {
        caches.values().forEach(ResourceCache::start);
        for (var each : caches.entrySet()) {
            if (!each.getValue().awaitListed(PATIENCE)) {
                throw new KubeException(
                        0,
                        "",
                        "the API server does not list %s: %s"
                                .formatted(each.getKey().plural(), each.getValue().failure()));
            }
        }
    }

    @Override
    public JsonNode find(ResourceType type, String namespace, String name) {
        ResourceCache<JsonNode> cache = caches.get(type);
        JsonNode found = cache == null ? null : cache.find(namespace, name);
        return found == null ? MissingNode.getInstance() : found;
    }

    /// Why something is not followed, by type; empty while all is well.
    Map<String, String> problems() {
        var problems = new TreeMap<String, String>();
        caches.forEach(
                (type, cache) -> {
                    if (!cache.isFollowing() && !cache.failure().isEmpty()) {
                        problems.put(type.plural(), cache.failure());
                    }
                });
        return problems;
    }

    /// Objects of each type, and those that cannot be read.
    Map<String, List<Integer>> sizes() {
        var sizes = new TreeMap<String, List<Integer>>();
        caches.forEach(
                (type, cache) ->
                        sizes.put(
                                type.plural() + (type.group().isEmpty() ? "" : "." + type.group()),
                                List.of(cache.size(), cache.undecodable().size())));
        return sizes;
    }

    List<JsonNode> all(ResourceType type) {
        ResourceCache<JsonNode> cache = caches.get(type);
        return cache == null ? List.of() : new ArrayList<>(cache.all());
    }

    /// A node without the lists of images and volumes, which are long.
    private static JsonNode node(ObjectNode node) {
        ObjectNode slice = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = slice.putObject("metadata");
        for (String field : List.of("name", "uid", "labels")) {
            if (node.path("metadata").has(field)) {
                metadata.set(field, node.path("metadata").get(field));
            }
        }
        slice.set("spec", node.path("spec").deepCopy());
        ObjectNode status = slice.putObject("status");
        for (String field : List.of("allocatable", "addresses")) {
            if (node.path("status").has(field)) {
                status.set(field, node.path("status").get(field));
            }
        }
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                // Without the time of the last heartbeat: every report would look like a change.
                status.putArray("conditions")
                        .addObject()
                        .put("type", "Ready")
                        .put("status", condition.path("status").asText());
            }
        }
        return slice;
    }

    private static JsonNode light(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    @Override
    public void close() {
        caches.values().forEach(ResourceCache::close);
    }
}
