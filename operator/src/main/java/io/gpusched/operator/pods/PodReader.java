package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.PodResources;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads what a pod asks for. What the scheduler cannot honour is told to the user: a rule that
/// would make the placement wrong refuses the pod, a mere preference becomes a note.
final class PodReader {
    /// Counted by the scheduler, or by the kubelet without harm.
    private static final Set<String> COUNTED =
            Set.of(PodResources.CPU, PodResources.MEMORY, PodResources.GPU);

    private final ClusterObjects objects;

    PodReader(ClusterObjects objects) {
        this.objects = objects;
    }

    PodReading read(JsonNode pod) {
        JsonNode spec = pod.path("spec");
        if (!spec.path("resourceClaims").isEmpty()) {
            return new PodReading.Refused(
                    "the pod uses resourceClaims, which gpu-scheduler does not allocate; ask for"
                            + " nvidia.com/gpu instead");
        }
        PodResources wanted;
        try {
            wanted = PodResources.of(pod);
        } catch (IllegalArgumentException e) {
            return new PodReading.Refused(
                    "a resource of the pod cannot be read: " + e.getMessage());
        }
        VolumeRules volumes = VolumeRules.of(pod, objects);
        if (!volumes.refused().isEmpty()) {
            return new PodReading.Refused(volumes.refused());
        }
        if (!volumes.waits().isEmpty()) {
            return new PodReading.Waits(volumes.waits());
        }
        ObjectNode shape = JsonNodeFactory.instance.objectNode();
        String problem = resources(wanted, shape);
        NodeTerms terms = nodes(spec).and(volumes.nodes());
        if (problem.isEmpty() && terms.impossible()) {
            problem = "the required node affinity of the pod matches no node: a term is empty";
        }
        if (problem.isEmpty() && terms.any().size() > NodeTerms.MOST) {
            problem =
                    "the node affinity of the pod and of its volumes has %d alternatives, at most %d are possible"
                            .formatted(terms.any().size(), NodeTerms.MOST);
        }
        if (!problem.isEmpty()) {
            return new PodReading.Refused(problem);
        }
        if (!terms.any().isEmpty()) {
            shape.set("node_requirements", terms.json());
        }
        tolerations(spec, shape);
        var labels = new LinkedHashSet<>(terms.keys());
        selector(spec, shape, labels);
        return new PodReading.Demand(shape, List.copyOf(labels), notes(spec, wanted));
    }

    /// Claims that get their volume only after a node was chosen.
    List<String> claimsToBind(JsonNode pod) {
        return VolumeRules.of(pod, objects).toBind();
    }

    /// @return why the scheduler cannot count this; empty if it can
    private static String resources(PodResources wanted, ObjectNode shape) {
        Map<String, Integer> slices = wanted.slices();
        if (slices.size() > 1 || (!slices.isEmpty() && wanted.gpus() > 0)) {
            return "the pod asks for GPUs of several kinds (%s); ask for one kind"
                    .formatted(String.join(", ", gpuNames(wanted)));
        }
        shape.put("gpu_count", wanted.gpus());
        slices.forEach(
                (profile, count) -> shape.put("gpu_count", count).put("mig_profile", profile));
        shape.put("cpu_milli", wanted.milliCpu());
        shape.put("memory_mb", wanted.memoryMiB());
        return "";
    }

    private static List<String> gpuNames(PodResources wanted) {
        return wanted.amounts().keySet().stream().filter(PodReader::isGpu).toList();
    }

    private static boolean isGpu(String resource) {
        return resource.equals(PodResources.GPU) || resource.startsWith(PodResources.MIG);
    }

    private static NodeTerms nodes(JsonNode spec) {
        return NodeTerms.of(
                spec.path("affinity")
                        .path("nodeAffinity")
                        .path("requiredDuringSchedulingIgnoredDuringExecution")
                        .path("nodeSelectorTerms"));
    }

    private static void selector(JsonNode spec, ObjectNode shape, Set<String> labels) {
        JsonNode selector = spec.path("nodeSelector");
        if (!selector.isEmpty()) {
            shape.set("node_selector", selector.deepCopy());
            selector.fieldNames().forEachRemaining(labels::add);
        }
    }

    private static void tolerations(JsonNode spec, ObjectNode shape) {
        ArrayNode tolerations = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : spec.path("tolerations")) {
            ObjectNode toleration = tolerations.addObject();
            for (String field : List.of("key", "operator", "value", "effect")) {
                if (each.hasNonNull(field)) {
                    toleration.put(field, each.path(field).asText());
                }
            }
        }
        if (!tolerations.isEmpty()) {
            shape.set("tolerations", tolerations);
        }
    }

    private static List<String> notes(JsonNode spec, PodResources wanted) {
        var notes = new ArrayList<String>();
        JsonNode affinity = spec.path("affinity");
        if (hasRequired(affinity.path("podAffinity"))) {
            notes.add("required pod affinity is not considered");
        }
        if (hasRequired(affinity.path("podAntiAffinity"))) {
            notes.add("required pod anti-affinity is not considered");
        }
        if (hasPreferred(affinity)) {
            notes.add("preferred affinity is not considered");
        }
        if (!spec.path("topologySpreadConstraints").isEmpty()) {
            notes.add("topology spread constraints are not considered");
        }
        for (String resource : wanted.amounts().keySet()) {
            if (!COUNTED.contains(resource) && !isGpu(resource)) {
                notes.add(resource + " is only checked when the pod is bound");
            }
        }
        if (spec.path("preemptionPolicy").asText().equals("Never")) {
            notes.add("preemptionPolicy is not considered: the rules of the tenant decide");
        }
        return notes;
    }

    private static boolean hasRequired(JsonNode affinity) {
        return !affinity.path("requiredDuringSchedulingIgnoredDuringExecution").isEmpty();
    }

    private static boolean hasPreferred(JsonNode affinity) {
        for (String kind : List.of("nodeAffinity", "podAffinity", "podAntiAffinity")) {
            if (!affinity.path(kind)
                    .path("preferredDuringSchedulingIgnoredDuringExecution")
                    .isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
