package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;

/// The ways to change a part of an object. All change the given tree.
final class TreePatch {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /// Lists whose elements are told apart by a field; other lists are replaced as a whole.
    private static final Map<String, String> KEYS =
            Map.ofEntries(
                    Map.entry("containers", "name"),
                    Map.entry("initContainers", "name"),
                    Map.entry("volumes", "name"),
                    Map.entry("env", "name"),
                    Map.entry("conditions", "type"),
                    Map.entry("addresses", "type"),
                    Map.entry("schedulingGates", "name"),
                    Map.entry("ownerReferences", "uid"));

    private static final Set<String> SETS = Set.of("finalizers");

    private TreePatch() {}

    /// RFC 7386.
    static void merge(ObjectNode target, JsonNode patch) {
        patch.properties()
                .forEach(
                        each -> {
                            String name = each.getKey();
                            JsonNode value = each.getValue();
                            if (value.isNull()) {
                                target.remove(name);
                            } else if (value.isObject()) {
                                merge(child(target, name), value);
                            } else {
                                target.set(name, value.deepCopy());
                            }
                        });
    }

    private static ObjectNode child(ObjectNode target, String name) {
        return target.get(name) instanceof ObjectNode object ? object : target.putObject(name);
    }

    /// As `merge`, but lists of named elements are merged by name.
    static void strategic(ObjectNode target, JsonNode patch) {
        for (var each : patch.properties()) {
            String name = each.getKey();
            JsonNode value = each.getValue();
            if (name.startsWith("$")) {
                continue;
            }
            if (value.isNull()) {
                target.remove(name);
            } else if (value.isObject()) {
                if (value.path("$patch").asText().equals("replace")) {
                    target.remove(name);
                }
                strategic(child(target, name), value);
            } else if (value instanceof ArrayNode list && KEYS.containsKey(name)) {
                elements(array(target, name), list, KEYS.getOrDefault(name, ""));
            } else if (value instanceof ArrayNode list && SETS.contains(name)) {
                ArrayNode into = array(target, name);
                list.forEach(item -> addMissing(into, item));
            } else {
                target.set(name, value.deepCopy());
            }
        }
    }

    private static ArrayNode array(ObjectNode target, String name) {
        return target.get(name) instanceof ArrayNode array ? array : target.putArray(name);
    }

    private static void addMissing(ArrayNode into, JsonNode item) {
        for (JsonNode each : into) {
            if (each.equals(item)) {
                return;
            }
        }
        into.add(item.deepCopy());
    }

    private static void elements(ArrayNode into, ArrayNode list, String key) {
        for (JsonNode item : list) {
            int at = -1;
            for (int i = 0; i < into.size(); i++) {
                if (into.get(i).path(key).equals(item.path(key))) {
                    at = i;
                }
            }
            if (item.path("$patch").asText().equals("delete")) {
                if (at >= 0) {
                    into.remove(at);
                }
            } else if (at >= 0 && into.get(at) instanceof ObjectNode existing) {
                strategic(existing, item);
            } else {
                ObjectNode added = into.addObject();
                strategic(added, item);
            }
        }
    }

    /// Server-side apply: as `strategic`; what the same manager applied before and no longer names
    /// is removed.
    static void apply(ObjectNode target, JsonNode before, JsonNode now) {
        removeMissing(target, before, now);
        strategic(target, now);
    }

    private static void removeMissing(ObjectNode target, JsonNode before, JsonNode now) {
        for (var each : before.properties()) {
            String name = each.getKey();
            if (!now.has(name)) {
                if (each.getValue().isObject() && target.get(name) instanceof ObjectNode inner) {
                    removeMissing(inner, each.getValue(), NODES.objectNode());
                    if (inner.isEmpty()) {
                        target.remove(name);
                    }
                } else {
                    target.remove(name);
                }
            } else if (each.getValue().isObject() && target.get(name) instanceof ObjectNode inner) {
                removeMissing(inner, each.getValue(), now.path(name));
            }
        }
    }

    /// RFC 6902.
    static void json(ObjectNode target, JsonNode operations) {
        for (JsonNode operation : operations) {
            JsonPointer path = JsonPointer.compile(operation.path("path").asText());
            JsonNode value = operation.path("value");
            switch (operation.path("op").asText()) {
                case "add" -> put(target, path, value, false);
                case "replace" -> {
                    if (target.at(path).isMissingNode()) {
                        throw wrong("replace operation does not apply: " + path + " is missing");
                    }
                    put(target, path, value, true);
                }
                case "remove" -> remove(target, path);
                case "test" -> {
                    if (!target.at(path).equals(value)) {
                        throw wrong("testing path " + path + " failed");
                    }
                }
                default -> throw Refused.badRequest("unknown operation of a JSON patch");
            }
        }
    }

    private static Refused wrong(String message) {
        return new Refused(422, "Invalid", "the server rejected our request: " + message);
    }

    private static void put(ObjectNode target, JsonPointer path, JsonNode value, boolean replace) {
        JsonNode parent = target.at(path.head());
        String name = path.last().getMatchingProperty();
        switch (parent) {
            case ObjectNode object -> object.set(name, value.deepCopy());
            case ArrayNode array when name.equals("-") -> array.add(value.deepCopy());
            case ArrayNode array when replace ->
                    array.set(Integer.parseInt(name), value.deepCopy());
            case ArrayNode array -> array.insert(Integer.parseInt(name), value.deepCopy());
            default -> throw wrong("add operation does not apply: " + path + " has no parent");
        }
    }

    private static void remove(ObjectNode target, JsonPointer path) {
        if (target.at(path).isMissingNode()) {
            throw wrong("remove operation does not apply: " + path + " is missing");
        }
        JsonNode parent = target.at(path.head());
        String name = path.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            object.remove(name);
        } else if (parent instanceof ArrayNode array) {
            array.remove(Integer.parseInt(name));
        }
    }
}
