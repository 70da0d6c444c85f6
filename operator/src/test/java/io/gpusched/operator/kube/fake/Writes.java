package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.ObjectStore.Deletion;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// Requests that change objects.
final class Writes {
    /// @param code the HTTP status
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record Answer(int code, byte[] body) {
        static Answer ok(JsonNode object) {
            return new Answer(200, Bodies.of(object));
        }

        static Answer created(JsonNode object) {
            return new Answer(201, Bodies.of(object));
        }
    }

    private static final String EVICTION = "Eviction";

    private final ObjectStore store;
    private final ServedTypes types;
    private final PodRules pods;

    /// What each field manager applied last, by object and manager.
    private final Map<String, Map<String, JsonNode>> applied = new ConcurrentHashMap<>();

    Writes(ObjectStore store, ServedTypes types, int minor) {
        this.store = store;
        this.types = types;
        this.pods = new PodRules(store, minor);
    }

    Answer write(Target target, ApiCall call) {
        return switch (call.method()) {
            case "POST" -> target.sub().isEmpty() ? create(target, call) : post(target, call);
            case "PUT" -> Answer.ok(put(target, call));
            case "PATCH" -> patch(target, call);
            default -> target.name().isEmpty() ? deleteAll(target, call) : delete(target, call);
        };
    }

    private Answer create(Target target, ApiCall call) {
        boolean isStrict = call.parameter("fieldValidation").equals("Strict");
        return Answer.created(
                store.create(
                        target.type(),
                        target.namespace(),
                        Bodies.object(call),
                        call.isDry(),
                        isStrict));
    }

    private Answer post(Target target, ApiCall call) {
        ServedType type = target.type();
        Stored pod = store.require(type, target.namespace(), target.name());
        JsonNode body = Bodies.tree(call);
        if (!type.storage().equals("/pods")) {
            throw Refused.noSuchPath();
        }
        switch (target.sub()) {
            case "binding" -> store.bind(type, pods, pod, body, call.isDry());
            case "eviction" -> {
                String apiVersion = body.path("apiVersion").asText();
                ServedType budgets = types.find(apiVersion, "poddisruptionbudgets");
                if (!body.path("kind").asText().equals(EVICTION) || budgets == null) {
                    throw Refused.badRequest(
                            "Eviction in version \"%s\" cannot be handled as a Eviction"
                                    .formatted(apiVersion));
                }
                store.evict(
                        type,
                        pods,
                        budgets,
                        pod,
                        deletion(body.path("deleteOptions")),
                        call.isDry());
            }
            default -> throw Refused.noSuchPath();
        }
        return Answer.created(Bodies.success().put("code", 201));
    }

    private ObjectNode put(Target target, ApiCall call) {
        ObjectNode body = Bodies.object(call);
        if (target.sub().equals("scale")) {
            return scale(target, body, call.isDry());
        }
        String name = body.path("metadata").path("name").asText("");
        if (!name.equals(target.name())) {
            throw Refused.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(name, target.name()));
        }
        return change(target, _ -> body, call.isDry());
    }

    private ObjectNode change(Target target, UnaryOperator<ObjectNode> change, boolean isDry) {
        checkSub(target);
        synchronized (store) {
            Stored current = store.require(target.type(), target.namespace(), target.name());
            return store.update(target.type(), current, target.sub(), change, isDry);
        }
    }

    private static void checkSub(Target target) {
        boolean isKnown =
                target.sub().isEmpty()
                        || target.sub().equals("status") && target.type().hasStatus();
        if (!isKnown) {
            throw Refused.noSuchPath();
        }
    }

    private Answer patch(Target target, ApiCall call) {
        String media = call.headers().getOrDefault("content-type", "");
        JsonNode patch = Bodies.tree(call);
        if (target.sub().equals("scale")) {
            return Answer.ok(scale(target, (ObjectNode) patch, call.isDry()));
        }
        return switch (media.replaceFirst(";.*", "")) {
            case "application/merge-patch+json" ->
                    Answer.ok(change(target, patched(patch, TreePatch::merge), call.isDry()));
            case "application/json-patch+json" ->
                    Answer.ok(change(target, patched(patch, TreePatch::json), call.isDry()));
            case "application/strategic-merge-patch+json" -> {
                if (target.type().isCustom()) {
                    throw unsupported(media);
                }
                yield Answer.ok(change(target, patched(patch, TreePatch::strategic), call.isDry()));
            }
            case "application/apply-patch+yaml" -> apply(target, (ObjectNode) patch, call);
            default -> throw unsupported(media);
        };
    }

    private static UnaryOperator<ObjectNode> patched(
            JsonNode patch, java.util.function.BiConsumer<ObjectNode, JsonNode> how) {
        return object -> {
            how.accept(object, patch);
            return object;
        };
    }

    private static Refused unsupported(String media) {
        return new Refused(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json,"
                        + " application/apply-patch+yaml; found "
                        + media);
    }

    private Answer apply(Target target, ObjectNode patch, ApiCall call) {
        String manager = call.parameter("fieldManager");
        if (manager.isEmpty()) {
            throw Refused.badRequest("fieldManager is required for apply patch");
        }
        synchronized (store) {
            Stored current = store.find(target.type().storage(), target.namespace(), target.name());
            String key =
                    target.type().storage() + " " + Stored.key(target.namespace(), target.name());
            Map<String, JsonNode> managers =
                    current == null
                            ? new ConcurrentHashMap<>()
                            : applied.getOrDefault(key, new ConcurrentHashMap<>());
            ObjectNode fields = patch.deepCopy();
            fields.remove(List.of("apiVersion", "kind"));
            if (!call.parameter("force").equals("true")) {
                checkOwners(target, managers, manager, fields);
            }
            JsonNode before = managers.getOrDefault(manager, JsonNodeFactory.instance.objectNode());
            Answer answer;
            if (current == null) {
                Admission.child(patch, "metadata").put("name", target.name());
                boolean isStrict = call.parameter("fieldValidation").equals("Strict");
                answer =
                        Answer.created(
                                store.create(
                                        target.type(),
                                        target.namespace(),
                                        patch,
                                        call.isDry(),
                                        isStrict));
            } else {
                answer =
                        Answer.ok(
                                change(
                                        target,
                                        object -> {
                                            TreePatch.apply(object, before, fields);
                                            return object;
                                        },
                                        call.isDry()));
            }
            if (!call.isDry()) {
                managers.put(manager, fields);
                applied.put(key, managers);
            }
            return answer;
        }
    }

    /// A field that another manager applied with another value is a conflict.
    private static void checkOwners(
            Target target, Map<String, JsonNode> managers, String manager, JsonNode fields) {
        managers.forEach(
                (other, theirs) -> {
                    if (!other.equals(manager) && differs(fields, theirs)) {
                        throw new Refused(
                                409,
                                "Conflict",
                                "Apply failed with 1 conflict: conflict with \"%s\": %s"
                                        .formatted(other, target.name()));
                    }
                });
    }

    private static boolean differs(JsonNode ours, JsonNode theirs) {
        for (var each : ours.properties()) {
            JsonNode other = theirs.path(each.getKey());
            boolean isInner = each.getValue().isObject() && other.isObject();
            if (isInner
                    ? differs(each.getValue(), other)
                    : !other.isMissingNode() && !other.equals(each.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static Deletion deletion(JsonNode options) {
        return new Deletion(
                options.path("preconditions").path("uid").asText(""),
                options.path("preconditions").path("resourceVersion").asText(""),
                options.path("gracePeriodSeconds").asLong(-1),
                options.path("propagationPolicy").asText(""));
    }

    private static Deletion deletion(ApiCall call) {
        return call.body().length == 0
                ? new Deletion("", "", -1, call.parameter("propagationPolicy"))
                : deletion(Bodies.tree(call));
    }

    private Answer delete(Target target, ApiCall call) {
        if (!target.sub().isEmpty()) {
            throw Refused.noSuchPath();
        }
        var result =
                store.delete(
                        target.type(),
                        target.namespace(),
                        target.name(),
                        deletion(call),
                        call.isDry());
        boolean showsObject = target.type().storage().equals("/pods") || !result.isNew();
        return Answer.ok(showsObject ? result.object() : Bodies.success());
    }

    private Answer deleteAll(Target target, ApiCall call) {
        Selector selector = Reads.selector(target, call);
        for (Stored each : store.all(target.type().storage())) {
            boolean isIn =
                    target.namespace().isEmpty() || target.namespace().equals(each.namespace());
            if (isIn && selector.matches(each.object())) {
                store.delete(
                        target.type(), each.namespace(), each.name(), deletion(call), call.isDry());
            }
        }
        return Answer.ok(Bodies.success());
    }

    /// Reads the sub-resource `scale`.
    ObjectNode scale(Target target) {
        Stored current = store.require(target.type(), target.namespace(), target.name());
        JsonNode paths = target.type().scale();
        if (paths.isMissingNode()) {
            throw Refused.noSuchPath();
        }
        ObjectNode scale = JsonNodeFactory.instance.objectNode();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        scale.putObject("metadata")
                .put("name", target.name())
                .put("namespace", target.namespace())
                .put("resourceVersion", Long.toString(current.version()))
                .set("uid", current.object().path("metadata").path("uid"));
        scale.putObject("spec").put("replicas", at(current, paths, "specReplicasPath").asInt());
        ObjectNode status = scale.putObject("status");
        status.put("replicas", at(current, paths, "statusReplicasPath").asInt());
        if (paths.has("labelSelectorPath")) {
            status.put("selector", at(current, paths, "labelSelectorPath").asText(""));
        }
        return scale;
    }

    private static JsonNode at(Stored current, JsonNode paths, String which) {
        return current.object().at(paths.path(which).asText().replace('.', '/'));
    }

    private ObjectNode scale(Target target, ObjectNode wanted, boolean isDry) {
        scale(target); // Fails without such a sub-resource.
        String[] path = target.type().scale().path("specReplicasPath").asText().split("\\.");
        var object = new Target(target.type(), target.namespace(), target.name(), "");
        change(
                object,
                current -> {
                    ObjectNode at = current;
                    for (int i = 1; i < path.length - 1; i++) {
                        at = Admission.child(at, path[i]);
                    }
                    at.set(path[path.length - 1], wanted.path("spec").path("replicas"));
                    return current;
                },
                isDry);
        return scale(target);
    }
}
