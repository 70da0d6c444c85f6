package io.gpusched.operator.pods;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/// What a job of pods carries through the scheduler: which pod each rank is.
///
///     {"kind":"pods","cluster":"…","pods":[{"namespace":"team","name":"a","uid":"…"}]}
///
/// @param cluster the UID of the namespace kube-system, which names the cluster
/// @param pods in the order of ranks
public record Attachment(String cluster, List<PodKey> pods) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KIND = "pods";

    public Attachment {
        pods = List.copyOf(pods);
    }

    /// Whether the attachment of a task is one of these.
    public static boolean isPods(String text) {
        return parse(text).path("kind").asText().equals(KIND);
    }

    /// An attachment without pods if the text is no such attachment.
    public static Attachment read(String text) {
        JsonNode tree = parse(text);
        var pods = new ArrayList<PodKey>();
        if (tree.path("kind").asText().equals(KIND)) {
            for (JsonNode pod : tree.path(KIND)) {
                pods.add(
                        new PodKey(
                                pod.path("namespace").asText(),
                                pod.path("name").asText(),
                                pod.path("uid").asText()));
            }
        }
        return new Attachment(tree.path("cluster").asText(), pods);
    }

    public String text() {
        ObjectNode tree = JSON.createObjectNode().put("kind", KIND).put("cluster", cluster);
        ArrayNode list = tree.putArray(KIND);
        for (PodKey pod : pods) {
            list.addObject()
                    .put("namespace", pod.namespace())
                    .put("name", pod.name())
                    .put("uid", pod.uid());
        }
        return tree.toString();
    }

    private static JsonNode parse(String text) {
        try {
            return text.startsWith("{") ? JSON.readTree(text) : JSON.missingNode();
        } catch (JsonProcessingException e) { // Another agent's words.
            return JSON.missingNode();
        }
    }
}
