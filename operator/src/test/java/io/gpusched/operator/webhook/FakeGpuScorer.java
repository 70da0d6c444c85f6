package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A scheduler that chooses as told, and remembers what it was asked.
final class FakeGpuScorer implements GpuScorer {
    final List<ObjectNode> questions = new ArrayList<>();
    String answer = "";

    FakeGpuScorer chooses(String gpu, double priority, String... avoided) {
        answer =
                """
                priority_score: %s
                gpu_selector:
                  nodeSelector: {gpu.nvidia.com/class: %s}
                  tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
                avoid_co_locate_with: %s
                terms: {chosen_gpu: %s}
                """
                        .formatted(priority, gpu, List.of(avoided), gpu);
        return this;
    }

    @Override
    public JsonNode score(ObjectNode question) throws IOException {
        questions.add(question);
        if (answer.isEmpty()) {
            throw new IOException("connection refused");
        }
        return KubeYaml.object(answer);
    }

    @Override
    public boolean isConnected() {
        return !answer.isEmpty();
    }
}
