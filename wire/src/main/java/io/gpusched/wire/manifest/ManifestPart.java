package io.gpusched.wire.manifest;

import io.gpusched.core.event.Problem;
import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// A document without `kind`: a part of a manifest, as guides print it. Its kind and the place
/// where it belongs are recognised by its fields.
///
///     costOptimization: {enabled: true}   →   spec.scheduling of an AgentPool
///
/// Every field must belong to that one place. So values of a Helm chart, or an object of
/// Kubernetes, are not taken for a part.
///
/// @param place where its fields belong, for people
/// @param tree the whole manifest
record ManifestPart(String kind, String place, JsonTree.Mapping tree) {
    private static final Set<String> AROUND = Set.of("apiVersion", "metadata", "spec", "status");
    private static final List<String> GROUPS = List.of("neuronetes.io/", "gpu-scheduler.io/");
    private static final String POOL = "AgentPool";

    /// @param path of objects around the fields
    private record Place(String kind, List<String> path, Set<String> fields) {
        boolean isSpec() {
            return path.size() == 1;
        }

        String words() {
            return String.join(".", path) + (kind.startsWith("A") ? " of an " : " of a ") + kind;
        }
    }

    private static Place place(String kind, String path, String... fields) {
        return new Place(kind, List.of(path.split("\\.", -1)), Set.of(fields));
    }

    private static final List<Place> PLACES =
            List.of(
                    place(
                            POOL,
                            "spec",
                            "agentClassRef",
                            "minReplicas",
                            "maxReplicas",
                            "prewarmPercent",
                            "tokensPerSecondBudget",
                            "migProfile",
                            "autoscaling",
                            "gpuRequirements",
                            "sessionAffinity",
                            "scheduling",
                            "replica",
                            "serving"),
                    place(
                            POOL,
                            "spec.scheduling",
                            "priority",
                            "costOptimization",
                            "carbonAware",
                            "dataLocality",
                            "cacheAware",
                            "preemption",
                            "fastScheduling",
                            "gangScheduling",
                            "nodeSelector"),
                    place(
                            POOL,
                            "spec.scheduling.costOptimization",
                            "enabled",
                            "sloHeadroomMs",
                            "maxCostPerHour",
                            "spotEnabled",
                            "spotMaxInterruptions",
                            "fallbackModel",
                            "fallbackTrigger",
                            "largerModel",
                            "spotStrategy",
                            "interruptionThreshold"),
                    place(POOL, "spec.gpuRequirements", "count", "memory", "type", "topology"),
                    place(POOL, "spec.gpuRequirements.topology", "locality", "minBandwidth"),
                    place(POOL, "spec.autoscaling", "metrics", "behavior", "cooldownPeriod"),
                    place(
                            "AgentClass",
                            "spec",
                            "modelRef",
                            "maxContextLength",
                            "toolPermissions",
                            "guardrails",
                            "slo",
                            "systemPrompt",
                            "temperature",
                            "maxTokens",
                            "memoryConfig"),
                    place(
                            "Model",
                            "spec",
                            "weightsURI",
                            "size",
                            "quantization",
                            "shardSpec",
                            "cachePolicy",
                            "format",
                            "architecture",
                            "parameterCount",
                            "loadTime",
                            "smaller",
                            "larger"),
                    place(
                            "ToolBinding",
                            "spec",
                            "agentPoolRef",
                            "type",
                            "queueConfig",
                            "topicConfig",
                            "httpConfig",
                            "concurrency",
                            "timeouts",
                            "retryPolicy"),
                    place(
                            "ToolBinding",
                            "spec.queueConfig",
                            "provider",
                            "connectionString",
                            "queueName",
                            "autoscaleOnLag",
                            "maxLagThreshold",
                            "prefetchCount",
                            "throughput",
                            "ackMode"));

    /// The name that it has itself; empty for none.
    String name() {
        return ManifestFields.of(tree, ManifestFields.Notes.none()).object("metadata").text("name");
    }

    ManifestPart named(String name) {
        var metadata = new LinkedHashMap<String, JsonTree>();
        if (tree.entries().get("metadata") instanceof JsonTree.Mapping given) {
            metadata.putAll(given.entries());
        }
        metadata.put("name", new JsonTree.Text(name));
        var whole = new LinkedHashMap<>(tree.entries());
        whole.put("metadata", new JsonTree.Mapping(metadata));
        return new ManifestPart(kind, place, new JsonTree.Mapping(whole));
    }

    /// Whether a field is known at the top of a part: guides print two variants of it in one block.
    static boolean isField(String key) {
        return PLACES.stream().anyMatch(place -> place.fields.contains(key));
    }

    /// The manifest that the document is a part of; null, and a problem, if it is none or could be
    /// several.
    ///
    /// @param what the document, for people
    static @Nullable ManifestPart of(String what, JsonTree.Mapping tree, List<Problem> problems) {
        if (tree.entries().get("apiVersion") instanceof JsonTree.Text(String version)
                && GROUPS.stream().noneMatch(version::startsWith)) {
            problems.add(
                    refused(
                            "apiVersion",
                            what + " has no kind, and its apiVersion is " + version,
                            "apply objects of Kubernetes with kubectl"));
            return null;
        }
        boolean spec = tree.entries().get("spec") instanceof JsonTree.Mapping;
        SequencedMap<String, JsonTree> fields = fields(tree, spec);
        var places =
                PLACES.stream()
                        .filter(place -> !spec || place.isSpec())
                        .filter(place -> place.fields.containsAll(fields.keySet()))
                        .toList();
        if (places.size() != 1 || fields.isEmpty() || fields.keySet().equals(Set.of("enabled"))) {
            problems.add(notOne(what, fields.keySet(), places));
            return null;
        }
        Place place = places.getFirst();
        var whole = new LinkedHashMap<String, JsonTree>();
        AROUND.forEach(key -> keep(key, tree, whole));
        JsonTree.Mapping inner = new JsonTree.Mapping(fields);
        for (int depth = place.path.size() - 1; depth > 0; depth--) {
            var outer = new LinkedHashMap<String, JsonTree>();
            outer.put(place.path.get(depth), inner);
            inner = new JsonTree.Mapping(outer);
        }
        whole.put("kind", new JsonTree.Text(place.kind));
        whole.put("spec", inner);
        return new ManifestPart(place.kind, place.words(), new JsonTree.Mapping(whole));
    }

    private static void keep(String key, JsonTree.Mapping tree, Map<String, JsonTree> whole) {
        JsonTree found = tree.entries().get(key);
        if (found != null) {
            whole.put(key, found);
        }
    }

    /// What was written under `spec`, or at the top where there is none.
    private static SequencedMap<String, JsonTree> fields(JsonTree.Mapping tree, boolean spec) {
        var fields = new LinkedHashMap<>(tree.entries());
        AROUND.forEach(fields::remove);
        if (spec && tree.entries().get("spec") instanceof JsonTree.Mapping inner) {
            fields.putAll(inner.entries());
        }
        return fields;
    }

    private static Problem notOne(String what, Set<String> fields, List<Place> places) {
        if (places.size() > 1 && !fields.isEmpty()) {
            List<String> words = places.stream().map(Place::words).toList();
            return refused(
                    "kind",
                    what + " has no kind, and could be " + String.join(" or ", words),
                    "write kind, metadata and spec");
        }
        var strange = new LinkedHashSet<>(fields);
        strange.removeIf(ManifestPart::isField);
        String found =
                strange.isEmpty()
                        ? fields.isEmpty()
                                ? "no field"
                                : "fields that do not belong together: " + shown(fields)
                        : shown(strange);
        return refused(
                "kind",
                what
                        + " has no kind, and is not a part of an AgentPool, AgentClass, Model or"
                        + " ToolBinding: found "
                        + found,
                "write kind, metadata and spec; a part without kind has fields of one place only,"
                        + " such as scheduling or queueConfig");
    }

    private static String shown(Set<String> fields) {
        List<String> first =
                fields.stream()
                        .limit(5)
                        .map(key -> key.length() <= 60 ? key : key.substring(0, 57) + "...")
                        .toList();
        return String.join(", ", first) + (fields.size() > 5 ? ", ..." : "");
    }

    private static Problem refused(String field, String message, String hint) {
        return new Problem(Problem.Code.INVALID, field, message, hint);
    }
}
