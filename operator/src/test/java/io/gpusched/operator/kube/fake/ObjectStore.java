package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/// All objects, and the order of their changes. One lock, because versions must appear in order.
final class ObjectStore {
    /// How an object is deleted.
    ///
    /// @param graceSeconds negative for the object's own
    record Deletion(String uid, String version, long graceSeconds, String propagation) {}

    /// What came of a request.
    record Result(ObjectNode object, boolean isNew) {}

    private static final Set<String> NO_UNCONDITIONAL_UPDATE = Set.of("coordination.k8s.io/leases");
    private static final Set<String> WITHOUT_GENERATION =
            Set.of("/pods", "/nodes", "/namespaces", "/services", "/persistentvolumes");
    private static final List<String> KEPT =
            List.of(
                    "uid",
                    "name",
                    "namespace",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "generation",
                    "resourceVersion");
    private static final String NEW_VERSION = "0";

    private final Map<String, ObjectTable> tables = new ConcurrentHashMap<>();
    private final ServedTypes types;
    private final Admission admission;
    private long version = 1;

    ObjectStore(ServedTypes types, int minor) {
        this.types = types;
        this.admission = new Admission(this, new PodRules(this, minor));
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    ObjectTable table(String storage) {
        return tables.computeIfAbsent(storage, _ -> new ObjectTable());
    }

    @Nullable Stored find(String storage, String namespace, String name) {
        return table(storage).find(namespace, name);
    }

    List<Stored> all(String storage) {
        return table(storage).all();
    }

    Stored require(ServedType type, String namespace, String name) {
        Stored found = find(type.storage(), namespace, name);
        if (found == null) {
            throw Refused.notFound(type.qualified(), name);
        }
        return found;
    }

    synchronized long version() {
        return version;
    }

    /// Makes a tree the newest version of its object, unchecked.
    synchronized Stored commit(ServedType type, ObjectNode object) {
        version++;
        Admission.child(object, "metadata").put("resourceVersion", Long.toString(version));
        var stored = new Stored(object, version);
        table(type.storage()).put(stored);
        return stored;
    }

    synchronized ObjectNode create(
            ServedType type, String namespace, ObjectNode object, boolean isDry, boolean isStrict) {
        admission.checkNamespace(type, namespace);
        checkKind(type, object);
        ObjectNode metadata = Admission.child(object, "metadata");
        String given = metadata.path("namespace").asText("");
        if (type.type().namespaced() && !given.isEmpty() && !given.equals(namespace)) {
            throw Refused.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        if (type.type().namespaced()) {
            metadata.put("namespace", namespace);
        }
        String prefix = metadata.path("generateName").asText("");
        if (metadata.path("name").asText("").isEmpty() && !prefix.isEmpty()) {
            metadata.put("name", prefix + UUID.randomUUID().toString().substring(0, 5));
        }
        if (type.hasStatus() && !type.storage().equals("/nodes")) {
            object.remove("status");
        }
        admission.create(type, object, isStrict);
        String name = metadata.path("name").asText();
        if (find(type.storage(), namespace, name) != null) {
            throw new Refused(
                    409, "AlreadyExists", type.qualified() + " \"" + name + "\" already exists");
        }
        metadata.remove(List.of("resourceVersion", "deletionTimestamp", "managedFields"));
        metadata.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", now());
        if (!WITHOUT_GENERATION.contains(type.storage())) {
            metadata.put("generation", 1);
        }
        return isDry ? object : changed(type, commit(type, object)).object();
    }

    private Stored changed(ServedType type, Stored now) {
        if (type.storage().equals("apiextensions.k8s.io/customresourcedefinitions")) {
            types.define(now.object());
        }
        return now;
    }

    private static void checkKind(ServedType type, ObjectNode object) {
        String kind = object.path("kind").asText(type.type().kind());
        String apiVersion = object.path("apiVersion").asText(type.type().apiVersion());
        if (!kind.equals(type.type().kind()) || !apiVersion.equals(type.type().apiVersion())) {
            throw Refused.badRequest(
                    "the API version or kind in the data (%s, %s) does not match the expected one (%s, %s)"
                            .formatted(
                                    apiVersion,
                                    kind,
                                    type.type().apiVersion(),
                                    type.type().kind()));
        }
        object.put("kind", type.type().kind()).put("apiVersion", type.type().apiVersion());
    }

    /// @param change makes the wanted object of a copy of the current one
    synchronized ObjectNode update(
            ServedType type,
            Stored current,
            String sub,
            UnaryOperator<ObjectNode> change,
            boolean isDry) {
        ObjectNode before = current.object();
        ObjectNode wanted = change.apply(before.deepCopy());
        checkKind(type, wanted);
        checkVersion(type, before, wanted.path("metadata"));
        ObjectNode next = combined(type, before, wanted, sub);
        admission.update(type, before, next, sub);
        admission.checkSchema(type, next, false);
        if (next.equals(before)) {
            return before;
        }
        if (!next.path("spec").equals(before.path("spec"))
                && before.path("metadata").has("generation")) {
            Admission.child(next, "metadata")
                    .put("generation", before.path("metadata").path("generation").asLong() + 1);
        }
        if (isDry) {
            return next;
        }
        boolean isEnding =
                next.path("metadata").has("deletionTimestamp")
                        && next.path("metadata").path("finalizers").isEmpty()
                        && next.path("metadata").path("deletionGracePeriodSeconds").asLong(0) == 0;
        return isEnding ? remove(type, next) : changed(type, commit(type, next)).object();
    }

    private static void checkVersion(ServedType type, ObjectNode before, JsonNode wanted) {
        String name = before.path("metadata").path("name").asText();
        String given = wanted.path("resourceVersion").asText("");
        String newest = before.path("metadata").path("resourceVersion").asText();
        boolean isNone = given.isEmpty() || given.equals(NEW_VERSION);
        if (isNone && (type.isCustom() || NO_UNCONDITIONAL_UPDATE.contains(type.storage()))) {
            throw Refused.invalid(
                    type.type().kind(),
                    name,
                    "metadata.resourceVersion: Invalid value: 0x0: must be specified for an"
                            + " update");
        }
        if (!isNone && !given.equals(newest)) {
            throw Refused.conflict(
                    type.qualified(),
                    name,
                    "the object has been modified; please apply your changes to the latest version"
                            + " and try again");
        }
        String uid = wanted.path("uid").asText("");
        if (!uid.isEmpty() && !uid.equals(before.path("metadata").path("uid").asText())) {
            throw Refused.conflict(
                    type.qualified(), name, "Precondition failed: UID in precondition: " + uid);
        }
    }

    private static ObjectNode combined(
            ServedType type, ObjectNode before, ObjectNode wanted, String sub) {
        ObjectNode next = wanted;
        if (sub.equals("status")) {
            next = before.deepCopy();
            replace(next, "status", wanted.path("status"));
            if (!type.isCustom()) {
                ObjectNode metadata = Admission.child(next, "metadata");
                for (String field : List.of("labels", "annotations")) {
                    replace(metadata, field, wanted.path("metadata").path(field));
                }
            }
        } else if (type.hasStatus()) {
            replace(next, "status", before.path("status"));
        }
        ObjectNode metadata = Admission.child(next, "metadata");
        for (String field : KEPT) {
            replace(metadata, field, before.path("metadata").path(field));
        }
        return next;
    }

    private static void replace(ObjectNode object, String field, JsonNode value) {
        if (value.isMissingNode()) {
            object.remove(field);
        } else {
            object.set(field, value.deepCopy());
        }
    }

    /// Binds a pod: a change that no update may make.
    synchronized void bind(
            ServedType pods, PodRules rules, Stored pod, JsonNode binding, boolean isDry) {
        Stored current = require(pods, pod.namespace(), pod.name());
        ObjectNode next = current.object().deepCopy();
        rules.bind(current, next, binding);
        if (!isDry) {
            commit(pods, next);
        }
    }

    synchronized void evict(
            ServedType pods,
            PodRules rules,
            ServedType budgets,
            Stored pod,
            Deletion how,
            boolean isDry) {
        checkPreconditions(pods, pod, how);
        rules.takeFromBudget(budgets, pod, isDry);
        delete(pods, pod.namespace(), pod.name(), how, isDry);
    }

    synchronized Result delete(
            ServedType type, String namespace, String name, Deletion how, boolean isDry) {
        Stored current = require(type, namespace, name);
        checkPreconditions(type, current, how);
        ObjectNode next = current.object().deepCopy();
        ObjectNode metadata = Admission.child(next, "metadata");
        if (how.propagation().equals("Foreground")) {
            ArrayNode finalizers =
                    metadata.get("finalizers") instanceof ArrayNode array
                            ? array
                            : metadata.putArray("finalizers");
            finalizers.add("foregroundDeletion");
        }
        long grace =
                type.storage().equals("/pods")
                        ? PodRules.graceSeconds(next, how.graceSeconds())
                        : 0;
        if (isDry) {
            return new Result(next, false);
        }
        if (grace == 0 && metadata.path("finalizers").isEmpty()) {
            return new Result(remove(type, next), true);
        }
        boolean isSooner =
                !metadata.has("deletionTimestamp")
                        || grace < metadata.path("deletionGracePeriodSeconds").asLong();
        if (isSooner) {
            Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(grace);
            metadata.put("deletionTimestamp", end.toString())
                    .put("deletionGracePeriodSeconds", grace);
            next = commit(type, next).object();
        }
        return new Result(next, false);
    }

    private static void checkPreconditions(ServedType type, Stored current, Deletion how) {
        String uid = current.object().path("metadata").path("uid").asText();
        if (!how.uid().isEmpty() && !how.uid().equals(uid)) {
            throw Refused.conflict(
                    type.type().kind(),
                    current.name(),
                    "the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated"
                            .formatted(how.uid(), uid));
        }
        if (!how.version().isEmpty() && !how.version().equals(Long.toString(current.version()))) {
            throw Refused.conflict(
                    type.type().kind(),
                    current.name(),
                    "the ResourceVersion in the precondition does not match");
        }
    }

    private ObjectNode remove(ServedType type, ObjectNode last) {
        version++;
        Admission.child(last, "metadata").put("resourceVersion", Long.toString(version));
        table(type.storage()).remove(new Stored(last, version));
        if (type.storage().equals("apiextensions.k8s.io/customresourcedefinitions")) {
            types.forget(last);
        }
        return last;
    }

    synchronized void endWatches() {
        tables.values().forEach(ObjectTable::endWatches);
    }

    /// @param known the oldest version from which a watch can be resumed
    synchronized void forgetHistory(long known) {
        tables.values().forEach(each -> each.forget(known));
    }

    /// Makes a version that no object has.
    synchronized long skipVersion() {
        version++;
        return version;
    }

    synchronized void erase(ServedType type, String namespace, String name) {
        remove(type, require(type, namespace, name).object().deepCopy());
    }
}
