package io.gpusched.operator.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What became of a loader, as far as its pod tells.
sealed interface LoaderResult {
    ObjectMapper JSON = new ObjectMapper();

    /// It waits for its images, or works.
    record Working() implements LoaderResult {}

    /// @param there all complete models that it found; empty where it could not tell
    /// @param bytes of its model
    record Done(Map<String, Long> there, long bytes) implements LoaderResult {}

    record Failed(String problem) implements LoaderResult {}

    /// Reasons for which a container does not start by itself later.
    Set<String> HOPELESS =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "CreateContainerConfigError",
                    "CreateContainerError");

    static LoaderResult of(JsonNode pod, Instant now, Duration startLimit) {
        JsonNode status = pod.path("status");
        return switch (status.path("phase").asText("")) {
            case "Succeeded" -> done(status);
            case "Failed" -> new Failed(problem(status));
            case "Running" -> new Working();
            default -> pending(pod, now, startLimit);
        };
    }

    private static LoaderResult done(JsonNode status) {
        JsonNode message =
                tree(status.at("/containerStatuses/0/state/terminated/message").asText());
        var there = new TreeMap<String, Long>();
        message.path("models")
                .properties()
                .forEach(each -> there.put(each.getKey(), each.getValue().asLong()));
        return new Done(there, message.path("bytes").asLong());
    }

    private static JsonNode tree(String text) {
        try {
            return text.startsWith("{") ? JSON.readTree(text) : JSON.missingNode();
        } catch (JsonProcessingException e) { // Cut off, or written by another program.
            return JSON.missingNode();
        }
    }

    private static String problem(JsonNode status) {
        for (String containers : new String[] {"initContainerStatuses", "containerStatuses"}) {
            for (JsonNode each : status.path(containers)) {
                JsonNode end = each.at("/state/terminated");
                if (end.path("exitCode").asInt() != 0) {
                    JsonNode message = tree(end.path("message").asText(""));
                    String words =
                            message instanceof ObjectNode
                                    ? message.path("problem").asText("")
                                    : end.path("message").asText("").strip();
                    return words.isEmpty()
                            ? "the loader ended with status " + end.path("exitCode").asInt()
                            : last(words);
                }
            }
        }
        String message = status.path("message").asText("");
        return message.isEmpty()
                ? "the loader failed: " + status.path("reason").asText("")
                : message;
    }

    private static String last(String words) {
        return words.length() <= 500 ? words : "…" + words.substring(words.length() - 500);
    }

    private static LoaderResult pending(JsonNode pod, Instant now, Duration startLimit) {
        Instant made;
        try {
            made = Instant.parse(pod.at("/metadata/creationTimestamp").asText());
        } catch (DateTimeException e) { // The API server has not told yet.
            made = now;
        }
        boolean late = now.isAfter(made.plus(startLimit));
        boolean young = now.isBefore(made.plus(startLimit.dividedBy(10)));
        for (String containers : new String[] {"initContainerStatuses", "containerStatuses"}) {
            for (JsonNode each : pod.path("status").path(containers)) {
                JsonNode waiting = each.at("/state/waiting");
                String reason = waiting.path("reason").asText("");
                if (late || HOPELESS.contains(reason) && !young) {
                    return new Failed(
                            "the loader does not start: %s %s"
                                    .formatted(reason, waiting.path("message").asText(""))
                                    .strip());
                }
            }
        }
        return late
                ? new Failed("the loader has not started within " + startLimit.toMinutes() + " min")
                : new Working();
    }
}
