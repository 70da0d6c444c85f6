package io.gpusched.operator.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// What the cache of one node holds, as two annotations of the node record it: one of ours with
/// sizes, and `neuronetes.io/cached-models`, a list for people and for other programs. A list with
/// commas cannot be the value of a label, so it is an annotation.
///
/// The record is worth as much as the boot of the node that it is of: a local disk may be empty
/// after the next one. Then nothing is held, and loaders find what is still there.
///
/// @param boot the boot of the node
/// @param mostBytes of all models; 0 for no limit
/// @param models complete models and their sizes
record NodeCache(String node, String boot, long mostBytes, SortedMap<String, Long> models) {
    static final String OURS = "gpu-scheduler.io/model-cache";
    static final String LIST = "neuronetes.io/cached-models";

    /// On nodes with a cache: its size in GB.
    static final String SIZE_LABEL = "gpu-scheduler.io/model-cache-gb";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long GB = 1_000_000_000;

    static NodeCache of(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        String boot = node.at("/status/nodeInfo/bootID").asText("");
        JsonNode record = recorded(metadata);
        var models = new TreeMap<String, Long>();
        if (record.path("boot").asText("").equals(boot)) {
            record.path("models")
                    .properties()
                    .forEach(each -> models.put(each.getKey(), each.getValue().asLong()));
        }
        String size = metadata.path("labels").path(SIZE_LABEL).asText("0");
        long gigabytes = size.matches("[0-9]{1,9}") ? Long.parseLong(size) : 0;
        return new NodeCache(metadata.path("name").asText(), boot, gigabytes * GB, models);
    }

    private static JsonNode recorded(JsonNode metadata) {
        try {
            return JSON.readTree(metadata.path("annotations").path(OURS).asText("{}"));
        } catch (JsonProcessingException e) { // Somebody else wrote it: as good as none.
            return JSON.missingNode();
        }
    }

    NodeCache with(String model, long bytes) {
        var more = new TreeMap<>(models);
        more.put(model, bytes);
        return new NodeCache(node, boot, mostBytes, more);
    }

    NodeCache without(String model) {
        var fewer = new TreeMap<>(models);
        fewer.remove(model);
        return new NodeCache(node, boot, mostBytes, fewer);
    }

    /// Replaces a part of what is held by what a loader found.
    ///
    /// @param part the models that the loader would have found
    NodeCache found(Map<String, Long> there, Predicate<String> part) {
        var all = new TreeMap<>(models);
        all.keySet().removeIf(part);
        all.putAll(there);
        return new NodeCache(node, boot, mostBytes, all);
    }

    /// The change of the node that records this.
    ///
    /// @param present the node, whose list may name models that others have put there
    ObjectNode patch(JsonNode present) {
        JsonNode metadata = present.path("metadata");
        var list = new TreeSet<String>();
        for (String each : metadata.path("annotations").path(LIST).asText("").split(",")) {
            if (!each.isBlank()) {
                list.add(each.strip());
            }
        }
        recorded(metadata).path("models").fieldNames().forEachRemaining(list::remove);
        list.addAll(models.keySet());
        ObjectNode record = JsonNodeFactory.instance.objectNode().put("boot", boot);
        ObjectNode sizes = record.putObject("models");
        models.forEach(sizes::put);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
        annotations.put(OURS, record.toString());
        if (list.isEmpty()) {
            annotations.putNull(LIST);
        } else {
            annotations.put(LIST, String.join(",", list));
        }
        return patch;
    }
}
