package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;

/// Answers which kind of GPU suits a job best, as `/v1/score` of the scheduler does.
public interface GpuScorer {
    /// Throws [IOException] if there is no answer, or a refusal.
    JsonNode score(ObjectNode question) throws IOException, InterruptedException;

    /// Whether the last question was answered.
    boolean isConnected();
}
