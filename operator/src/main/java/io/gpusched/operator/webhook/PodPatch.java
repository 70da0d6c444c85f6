package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// A JSON patch (RFC 6902) for a pod. Nothing that the pod has is replaced.
final class PodPatch {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String HOST = "kubernetes.io/hostname";
    private static final int WEIGHT = 100;
    private static final Pattern LABEL_VALUE =
            Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

    private final JsonNode pod;
    private final ArrayNode operations = NODES.arrayNode();
    private final Set<String> made = new HashSet<>();

    PodPatch(JsonNode pod) {
        this.pod = pod;
    }

    ArrayNode operations() {
        return operations;
    }

    void annotate(String key, String value) {
        put("/metadata/annotations", key, NODES.textNode(value));
    }

    /// Not all texts can be labels.
    void label(String key, String value) {
        if (LABEL_VALUE.matcher(value).matches()) {
            put("/metadata/labels", key, NODES.textNode(value));
        }
    }

    void selectNodes(String key, String value) {
        put("/spec/nodeSelector", key, NODES.textNode(value));
    }

    /// The admission of priorities runs again after a change, and refuses a pod whose number is not
    /// that of its class.
    void priorityClass(String name) {
        if (pod.path("spec").path("priorityClassName").asText("").isEmpty()) {
            for (String number : new String[] {"priority", "preemptionPolicy"}) {
                if (pod.path("spec").has(number)) {
                    operations.addObject().put("op", "remove").put("path", "/spec/" + number);
                }
            }
            add("/spec/priorityClassName", NODES.textNode(name));
        }
    }

    void tolerate(JsonNode tolerations) {
        for (JsonNode each : tolerations) {
            boolean isThere = false;
            for (JsonNode before : pod.path("spec").path("tolerations")) {
                isThere |= before.equals(each);
            }
            if (!isThere) {
                append("/spec/tolerations", each);
            }
        }
    }

    void preferNodes(String key, String value) {
        ObjectNode term = NODES.objectNode().put("weight", WEIGHT);
        ObjectNode expression =
                term.putObject("preference").putArray("matchExpressions").addObject();
        expression.put("key", key).put("operator", "In").putArray("values").add(value);
        object("/spec/affinity");
        object("/spec/affinity/nodeAffinity");
        append("/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution", term);
    }

    /// Keeps the pod away from nodes with pods of this kind, where that is possible.
    void avoid(String key, String kind) {
        if (!LABEL_VALUE.matcher(kind).matches() || kind.isEmpty()) {
            return;
        }
        ObjectNode term = NODES.objectNode().put("weight", WEIGHT);
        ObjectNode affinity = term.putObject("podAffinityTerm").put("topologyKey", HOST);
        affinity.putObject("labelSelector").putObject("matchLabels").put(key, kind);
        object("/spec/affinity");
        object("/spec/affinity/podAntiAffinity");
        append(
                "/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution",
                term);
    }

    private void put(String map, String key, JsonNode value) {
        object(map);
        if (!pod.at(map).has(key)) {
            add(map + "/" + escaped(key), value);
        }
    }

    /// `/` would begin the next part of a path, and `~` begins an escape.
    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private void object(String path) {
        if (!pod.at(path).isObject() && made.add(path)) {
            add(path, NODES.objectNode());
        }
    }

    private void append(String path, JsonNode value) {
        if (!pod.at(path).isArray() && made.add(path)) {
            add(path, NODES.arrayNode());
        }
        add(path + "/-", value);
    }

    private void add(String path, JsonNode value) {
        operations.addObject().put("op", "add").put("path", path).set("value", value);
    }
}
