package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.NodeLabels;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;

/// One job that stands for pods, as it is submitted.
///
/// @param pods in the order of ranks
/// @param body fields of the submission
/// @param problem why it cannot be submitted; empty if it can
/// @param labels keys of node labels that the scheduler must know
/// @param notes what is not honoured, for the user
record PodJob(
        List<PodKey> pods,
        ObjectNode body,
        String problem,
        List<String> labels,
        List<String> notes) {
    private static final int MOST_PRIORITY = 1_000_000;
    private static final long LONGEST_GRACE = 86_400;

    PodJob {
        pods = List.copyOf(pods);
        labels = List.copyOf(labels);
        notes = List.copyOf(notes);
    }

    /// @param cluster the UID of the cluster
    /// @param tenant of the namespace
    static PodJob of(List<QueuedPod> ranks, String cluster, String tenant) {
        QueuedPod first = ranks.getFirst();
        GroupRef group = first.group();
        boolean gang = ranks.size() > 1;
        List<PodKey> keys = ranks.stream().map(QueuedPod::key).toList();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("tenant_id", tenant);
        body.put("name", gang && group != null ? group.name() : first.key().name());
        body.put("priority", Math.clamp(first.priority(), -MOST_PRIORITY, MOST_PRIORITY));
        body.put("grace_seconds", Math.clamp(first.graceSeconds(), 1, LONGEST_GRACE));
        body.put("requeue", false);
        body.putObject("labels")
                .put(NodeLabels.CLUSTER, cluster)
                .put("gpu-scheduler.io/namespace", first.key().namespace());
        var labels = new LinkedHashSet<String>();
        var notes = new LinkedHashSet<String>();
        var shapes = new ArrayList<ObjectNode>();
        for (QueuedPod rank : ranks) {
            if (rank.reading() instanceof PodReading.Demand demand) {
                shapes.add(demand.shape());
                labels.addAll(demand.labels());
                notes.addAll(demand.notes());
            }
        }
        String problem = together(shapes, gang, body);
        // The pods are objects of this cluster, so no other machine can run them.
        body.withObject("/node_selector").put(NodeLabels.CLUSTER, cluster);
        body.put("attachment", new Attachment(cluster, keys).text());
        return new PodJob(keys, body, problem, List.copyOf(labels), List.copyOf(notes));
    }

    /// The same for the same pods, so that a repeated submission is recognised: the UID of the pod,
    /// or a digest of those of a group.
    ///
    /// @param attempt how often the same pods were submitted before, because the job ended and the
    ///        pods still wait
    String key(int attempt) {
        String key = pods.getFirst().uid();
        if (pods.size() > 1) {
            key = digest(String.join(" ", pods.stream().map(PodKey::uid).toList()));
        }
        return attempt == 0 ? key : key + "-" + attempt;
    }

    /// A submission counts amounts of all tasks together.
    private static String together(List<ObjectNode> shapes, boolean gang, ObjectNode body) {
        ObjectNode shape = shapes.getFirst();
        for (ObjectNode other : shapes) {
            if (!other.equals(shape)) {
                return "the pods of the group ask for different resources or nodes, which"
                        + " gpu-scheduler cannot start together; make them alike";
            }
        }
        for (var field : shape.properties()) {
            JsonNode value = field.getValue();
            boolean amount = value.isIntegralNumber();
            body.set(
                    field.getKey(),
                    amount
                            ? JsonNodeFactory.instance.numberNode(value.asLong() * shapes.size())
                            : value.deepCopy());
        }
        if (gang) {
            body.put("gang_scheduling", true).put("tasks", shapes.size());
        }
        return "";
    }

    private static String digest(String text) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "group-" + HexFormat.of().formatHex(sum, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
