package io.gpusched.operator.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.wire.proto.agent.TaskRef;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One start of a workload: which task of which job each of its pods is, and on which node. It is
/// written on the workload before the workload is released, so an operator that has forgotten
/// everything finds it again.
///
/// @param first the task of rank 0
/// @param job the id of the job
/// @param nodes in the order of ranks; empty for a rank that has not been ordered
record WorkloadRun(TaskRef first, String job, List<String> nodes) {
    /// On a workload.
    static final String ANNOTATION = "gpu-scheduler.io/run";

    /// On a pod: which rank of which run it is.
    static final String PLACE = "gpu-scheduler.io/place";

    private static final ObjectMapper JSON = new ObjectMapper();

    WorkloadRun {
        nodes = List.copyOf(nodes);
    }

    /// Null if the workload carries none, or one that somebody has changed.
    static @Nullable WorkloadRun of(Workload workload) {
        try {
            String text = workload.annotation(ANNOTATION);
            JsonNode tree = text.startsWith("{") ? JSON.readTree(text) : JSON.missingNode();
            var nodes = new ArrayList<String>();
            tree.path("nodes").forEach(node -> nodes.add(node.asText()));
            TaskRef first =
                    TaskRef.newBuilder()
                            .setJob(tree.path("number").asLong())
                            .setAttempt(tree.path("attempt").asInt())
                            .setTerm(tree.path("term").asLong())
                            .build();
            boolean valid = first.getJob() > 0 && first.getAttempt() > 0 && !nodes.isEmpty();
            return valid ? new WorkloadRun(first, tree.path("job").asText(), nodes) : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    String text() {
        ObjectNode tree = JSON.createObjectNode().put("job", job).put("number", first.getJob());
        tree.put("attempt", first.getAttempt()).put("term", first.getTerm());
        ArrayNode list = tree.putArray("nodes");
        nodes.forEach(list::add);
        return tree.toString();
    }

    TaskRef task(int rank) {
        return first.toBuilder().setRank(rank).build();
    }

    boolean has(TaskRef task) {
        return task.toBuilder().setRank(0).build().equals(first);
    }

    String place(int rank) {
        return "%s/%d".formatted(place(), rank);
    }

    private String place() {
        return "%d/%d/%d".formatted(first.getJob(), first.getAttempt(), first.getTerm());
    }

    /// The rank that a pod was given in this run; -1 if none.
    int rank(JsonNode pod) {
        String place = pod.path("metadata").path("annotations").path(PLACE).asText("");
        String prefix = place() + "/";
        if (!place.startsWith(prefix)) {
            return -1;
        }
        try {
            int rank = Integer.parseInt(place.substring(prefix.length()));
            return rank < nodes.size() ? rank : -1;
        } catch (NumberFormatException e) { // Somebody changed it.
            return -1;
        }
    }
}
