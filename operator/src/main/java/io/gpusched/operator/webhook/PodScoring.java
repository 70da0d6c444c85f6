package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// Scores a pod that is about to be created. A pod without the annotation
/// `app.kubernetes.io/job-type` is none of its business, and one that chose a GPU by itself keeps
/// its choice.
public final class PodScoring {
    static final String JOB_TYPE = "app.kubernetes.io/job-type";
    static final String GPU_CLASS = "gpu.nvidia.com/class";

    private static final String MEMORY = "gpu.mem.gi";
    private static final String BATCH_SIZE = "ml.batch_size";
    private static final String TENANT = "scheduler.radix.ai/tenant";
    private static final int MOST_NEIGHBOURS = 256;

    /// Where no node says which GPUs it has.
    private static final List<String> USUAL_TYPES =
            List.of("A100-80GB", "A100-40GB", "L4-24GB", "H100-80GB");

    private final GpuScorer scorer;
    private final ScoringView cluster;
    private final InstantSource clock;

    public PodScoring(GpuScorer scorer, ScoringView cluster, InstantSource clock) {
        this.scorer = scorer;
        this.cluster = cluster;
        this.clock = clock;
    }

    /// The patch for the pod; empty if there is nothing to change. Throws [IOException] if the
    /// scheduler gave no usable answer.
    public ArrayNode patch(JsonNode pod) throws IOException, InterruptedException {
        JsonNode annotations = pod.path("metadata").path("annotations");
        String kind = annotations.path(JOB_TYPE).asText("").strip();
        if (kind.isEmpty() || pod.path("spec").path("nodeSelector").has(GPU_CLASS)) {
            return JsonNodeFactory.instance.arrayNode();
        }
        List<String> types = cluster.gpuTypes();
        JsonNode score = scorer.score(question(kind, annotations, types));
        var patch = new PodPatch(pod);
        String chosen = score.path("terms").path("chosen_gpu").asText("");
        if (chosen.isEmpty()) {
            throw new IOException("the scheduler's answer names no GPU in terms.chosen_gpu");
        }
        double priority = score.path("priority_score").asDouble();
        String priorityClass = priorityClass(priority);
        if (cluster.hasPriorityClass(priorityClass)) {
            patch.priorityClass(priorityClass);
        }
        // A selector that no node meets would keep the pod waiting for ever.
        if (types.contains(chosen)) {
            patch.selectNodes(GPU_CLASS, chosen);
        } else {
            patch.preferNodes(GPU_CLASS, chosen);
        }
        patch.tolerate(score.path("gpu_selector").path("tolerations"));
        patch.label(JOB_TYPE, kind);
        score.path("avoid_co_locate_with").forEach(each -> patch.avoid(JOB_TYPE, each.asText()));
        patch.annotate(
                "scheduler.radix.ai/priority-score", String.format(Locale.ROOT, "%.2f", priority));
        patch.annotate("scheduler.radix.ai/chosen-gpu", chosen);
        patch.annotate("scheduler.radix.ai/decision-timestamp", clock.instant().toString());
        return patch.operations();
    }

    private ObjectNode question(String kind, JsonNode annotations, List<String> types) {
        ObjectNode question = JsonNodeFactory.instance.objectNode().put("job_type", kind);
        ObjectNode features = question.putObject("features");
        number(features, "gpu_mem_gb", annotations.path(MEMORY).asText(""));
        number(features, "batch_size", annotations.path(BATCH_SIZE).asText(""));
        String tenant = annotations.path(TENANT).asText("");
        if (!tenant.isEmpty()) {
            features.put("tenant", tenant);
        }
        ArrayNode candidates = question.putArray("candidate_gpu_types");
        (types.isEmpty() ? USUAL_TYPES : types).forEach(candidates::add);
        ArrayNode neighbours = question.putArray("colocated_job_types");
        cluster.jobTypes().stream().limit(MOST_NEIGHBOURS).forEach(neighbours::add);
        return question;
    }

    /// An annotation that is no number counts as absent: it must not keep the pod from running.
    private static void number(ObjectNode features, String name, String text) {
        try {
            double value = Double.parseDouble(text.strip().replaceAll("(?i)\\s*gi?b?$", ""));
            if (value >= 0 && value < 1e6) {
                features.put(name, value);
            }
        } catch (NumberFormatException _) {
            features.remove(name);
        }
    }

    private static String priorityClass(double score) {
        if (score >= 90) {
            return "gpu-ultra";
        }
        if (score >= 70) {
            return "gpu-high";
        }
        return score >= 50 ? "gpu-medium" : "gpu-default";
    }
}
