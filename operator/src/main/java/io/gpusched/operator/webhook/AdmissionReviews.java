package io.gpusched.operator.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Answers an AdmissionReview. Every pod is allowed: one that could not be scored gets a warning
/// that says why, and nothing else.
final class AdmissionReviews {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionReviews.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_WARNING = 200;

    private final PodScoring scoring;

    AdmissionReviews(PodScoring scoring) {
        this.scoring = scoring;
    }

    /// Throws [JsonProcessingException] if the body is not JSON.
    byte[] answer(byte[] body) throws JsonProcessingException, InterruptedException {
        JsonNode request = read(body).path("request");
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = review.putObject("response");
        response.put("uid", request.path("uid").asText("")).put("allowed", true);
        try {
            ArrayNode patch = scoring.patch(request.path("object"));
            if (!patch.isEmpty()) {
                byte[] text = patch.toString().getBytes(StandardCharsets.UTF_8);
                response.put("patchType", "JSONPatch");
                response.put("patch", Base64.getEncoder().encodeToString(text));
            }
        } catch (IOException e) {
            String why = "gpu-scheduler did not score this pod: " + e.getMessage();
            LOG.warn("{}", why);
            response.putArray("warnings")
                    .add(why.substring(0, Math.min(why.length(), LONGEST_WARNING)));
        }
        return JSON.writeValueAsBytes(review);
    }

    private static JsonNode read(byte[] body) throws JsonProcessingException {
        return JSON.readTree(new String(body, StandardCharsets.UTF_8));
    }
}
