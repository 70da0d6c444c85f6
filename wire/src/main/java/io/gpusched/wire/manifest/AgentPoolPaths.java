package io.gpusched.wire.manifest;

import io.gpusched.core.event.Problem;

import java.util.Map;

/// Which field of an AgentPool a field of a pool's document was made of, so that a problem names
/// the field that the user wrote.
final class AgentPoolPaths {
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
                    Map.entry("serving", "spec.sessionAffinity"));

    private AgentPoolPaths() {}

    static Problem inManifest(Problem problem) {
        String field = problem.field();
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
}
