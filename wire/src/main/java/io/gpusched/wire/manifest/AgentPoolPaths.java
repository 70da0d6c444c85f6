package io.gpusched.wire.manifest;

import io.gpusched.core.event.Problem;
import io.gpusched.wire.request.JsonTree;

import java.util.Map;
import java.util.Set;

/// Which field of an AgentPool a field of a pool's document was made of, so that a problem names
/// the field that the user wrote.
final class AgentPoolPaths {
    private static final Set<String> OWN = Set.of("replica", "serving");

    private static final Map<String, String> PATHS =
            Map.ofEntries(
                    Map.entry("min_replicas", "spec.minReplicas"),
                    Map.entry("max_replicas", "spec.maxReplicas"),
                    Map.entry("warm_percent", "spec.prewarmPercent"),
                    Map.entry("replica.mig_profile", "spec.migProfile"),
                    Map.entry("replica.gpu_count", "spec.gpuRequirements.count"),
                    Map.entry("replica.gpu_memory_mb", "spec.gpuRequirements.memory"),
                    Map.entry("replica.gpu_model", "spec.gpuRequirements.type"),
                    Map.entry("replica.gpu_locality", "spec.gpuRequirements.topology.locality"),
                    Map.entry(
                            "replica.gpu_min_bandwidth",
                            "spec.gpuRequirements.topology.minBandwidth"),
                    Map.entry("replica.priority", "spec.scheduling.priority"),
                    Map.entry("replica.node_selector", "spec.scheduling.nodeSelector"),
                    Map.entry("scaling.targets", "spec.autoscaling.metrics"),
                    Map.entry("scaling.schedules", "spec.autoscaling.predictive.schedules"),
                    Map.entry("scaling.scale_up", "spec.autoscaling.behavior.scaleUp"),
                    Map.entry("scaling.scale_down", "spec.autoscaling.behavior.scaleDown"),
                    Map.entry(
                            "cost.max_cost_per_hour",
                            "spec.scheduling.costOptimization.maxCostPerHour"),
                    Map.entry("cost", "spec.scheduling.costOptimization"),
                    Map.entry("carbon", "spec.scheduling.carbonAware"),
                    Map.entry("locality", "spec.scheduling.dataLocality"),
                    Map.entry("serving.session_header", "spec.sessionAffinity.keyHeader"),
                    Map.entry("serving.session_ttl_seconds", "spec.sessionAffinity.ttl"),
                    Map.entry("serving", "spec.serving"),
                    Map.entry("replica", "spec.replica"));

    private AgentPoolPaths() {}

    /// @param spec of the manifest; its `replica` and `serving` are parts of a pool's document
    static Problem inManifest(Problem problem, ManifestFields spec) {
        String field = problem.field();
        if (isOwn(field, spec)) {
            return new Problem(problem.code(), "spec." + field, problem.message(), problem.hint());
        }
        String rest = "";
        while (!field.isEmpty()) {
            String path = PATHS.get(field);
            if (path != null) {
                return new Problem(problem.code(), path + rest, problem.message(), problem.hint());
            }
            int cut = Math.max(field.lastIndexOf('.'), field.lastIndexOf('['));
            rest = field.substring(Math.max(cut, 0)) + rest;
            field = field.substring(0, Math.max(cut, 0));
        }
        return problem;
    }

    /// Whether the user wrote the field under its own name.
    private static boolean isOwn(String field, ManifestFields spec) {
        String[] steps = field.split("[.\\[]");
        return steps.length > 1
                && OWN.contains(steps[0])
                && spec.fields().value(steps[0]) instanceof JsonTree.Mapping own
                && own.entries().containsKey(steps[1]);
    }
}
