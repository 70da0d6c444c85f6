package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/// The rules for pods: what a new one gets, what may change, binding and eviction.
final class PodRules {
    static final int UID_AT_BINDING = 21;
    static final int GATES = 27;

    private static final int LABELS_AT_BINDING = 33;
    private static final int UNHEALTHY_EVICTION = 22;
    private static final int GRACE_SECONDS = 30;
    private static final int TOLERATION_SECONDS = 300;
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final ObjectStore store;
    private final int minor;

    PodRules(ObjectStore store, int minor) {
        this.store = store;
        this.minor = minor;
    }

    void create(ObjectNode pod) {
        String name = pod.path("metadata").path("name").asText("");
        ObjectNode spec = Admission.child(pod, "spec");
        if (!(spec.get("containers") instanceof ArrayNode containers)) {
            throw spec.has("containers")
                    ? Refused.badRequest(
                            "Pod in version \"v1\" cannot be handled as a Pod: spec.containers")
                    : Refused.invalid("Pod", name, "spec.containers: Required value");
        }
        for (int i = 0; i < containers.size(); i++) {
            container(name, (ObjectNode) containers.get(i), i);
        }
        gates(pod, spec, name);
        standard(spec, "restartPolicy", "Always");
        standard(spec, "schedulerName", "default-scheduler");
        standard(spec, "dnsPolicy", "ClusterFirst");
        if (!spec.has("terminationGracePeriodSeconds")) {
            spec.put("terminationGracePeriodSeconds", GRACE_SECONDS);
        }
        tolerations(spec);
        priority(spec, name);
        ObjectNode status = pod.putObject("status").put("phase", "Pending");
        if (!spec.path("schedulingGates").isEmpty()) {
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
        }
    }

    private static void standard(ObjectNode spec, String field, String value) {
        if (spec.path(field).asText("").isEmpty()) {
            spec.put(field, value);
        }
    }

    /// Requests default to limits, and those of extended resources must equal them.
    private static void container(String pod, ObjectNode container, int index) {
        for (String field : List.of("name", "image")) {
            if (container.path(field).asText("").isEmpty()) {
                throw Refused.invalid(
                        "Pod",
                        pod,
                        "spec.containers[%d].%s: Required value".formatted(index, field));
            }
        }
        ObjectNode resources = Admission.child(container, "resources");
        if (!resources.has("limits")) {
            return;
        }
        ObjectNode requests = Admission.child(resources, "requests");
        for (var limit : resources.path("limits").properties()) {
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            } else if (limit.getKey().contains("/")
                    && !requests.path(limit.getKey()).asText().equals(limit.getValue().asText())) {
                throw Refused.invalid(
                        "Pod",
                        pod,
                        "spec.containers[%d].resources.requests: Invalid value: must be equal to %s limit"
                                .formatted(index, limit.getKey()));
            }
        }
    }

    private void gates(ObjectNode pod, ObjectNode spec, String name) {
        if (minor < GATES) {
            spec.remove("schedulingGates");
        }
        if (!spec.path("schedulingGates").isEmpty()
                && !pod.path("spec").path("nodeName").asText("").isEmpty()) {
            throw Refused.invalid(
                    "Pod",
                    name,
                    "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been"
                            + " cleared");
        }
    }

    private static void tolerations(ObjectNode spec) {
        ArrayNode tolerations =
                spec.get("tolerations") instanceof ArrayNode array
                        ? array
                        : spec.putArray("tolerations");
        for (String key :
                List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            boolean isThere = false;
            for (JsonNode each : tolerations) {
                isThere |= each.path("key").asText("").equals(key) || !each.has("key");
            }
            if (!isThere) {
                tolerations
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", TOLERATION_SECONDS);
            }
        }
    }

    private void priority(ObjectNode spec, String pod) {
        String name = spec.path("priorityClassName").asText("");
        if (name.isEmpty()) {
            spec.put("priority", 0);
            for (Stored each : store.all("scheduling.k8s.io/priorityclasses")) {
                if (each.object().path("globalDefault").asBoolean()) {
                    spec.put("priorityClassName", each.name());
                    spec.put("priority", each.object().path("value").asInt());
                }
            }
            return;
        }
        Stored found = store.find("scheduling.k8s.io/priorityclasses", "", name);
        if (found == null) {
            throw Refused.forbidden(
                    "pods \"%s\" is forbidden: no PriorityClass with name %s was found"
                            .formatted(pod, name));
        }
        spec.put("priority", found.object().path("value").asInt());
    }

    /// Only a few fields of a pod may change.
    void update(ObjectNode before, ObjectNode pod) {
        ObjectNode old = before.path("spec").deepCopy();
        ObjectNode now = pod.path("spec").deepCopy();
        boolean isGated = !old.path("schedulingGates").isEmpty();
        for (ObjectNode each : List.of(old, now)) {
            each.remove(List.of("tolerations", "activeDeadlineSeconds", "schedulingGates"));
            if (isGated) {
                each.remove(List.of("nodeSelector", "affinity"));
            }
            for (JsonNode container : each.path("containers")) {
                ((ObjectNode) container).remove("image");
            }
        }
        boolean hasMoreGates =
                pod.path("spec").path("schedulingGates").size()
                        > before.path("spec").path("schedulingGates").size();
        if (!old.equals(now) || hasMoreGates) {
            throw Refused.invalid(
                    "Pod",
                    pod.path("metadata").path("name").asText(),
                    "spec: Forbidden: pod updates may not change fields other than"
                            + " `spec.containers[*].image`, `spec.activeDeadlineSeconds` or"
                            + " `spec.tolerations` (only additions to existing tolerations)");
        }
        if (isGated && pod.path("spec").path("schedulingGates").isEmpty()) {
            ((ObjectNode) pod.path("status")).remove("conditions");
        }
    }

    /// Assigns a pod to a node, which need not exist.
    void bind(Stored current, ObjectNode pod, JsonNode binding) {
        String name = current.name();
        String node = binding.path("target").path("name").asText("");
        if (node.isEmpty()) {
            throw Refused.invalid("Binding", name, "target.name: Required value");
        }
        checkUid(current, binding.path("metadata").path("uid").asText(""));
        if (pod.path("metadata").has("deletionTimestamp")) {
            throw refused(name, "is being deleted, cannot be assigned to a host");
        }
        String bound = pod.path("spec").path("nodeName").asText("");
        if (!bound.isEmpty()) {
            throw refused(name, "is already assigned to node \"" + bound + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw refused(name, "has non-empty .spec.schedulingGates");
        }
        Admission.child(pod, "spec").put("nodeName", node);
        ObjectNode metadata = Admission.child(pod, "metadata");
        copy(binding, metadata, "annotations");
        if (minor >= LABELS_AT_BINDING) {
            copy(binding, metadata, "labels");
        }
        ObjectNode condition =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("type", "PodScheduled")
                        .put("status", "True")
                        .put("lastTransitionTime", ObjectStore.now());
        condition.putNull("lastProbeTime");
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : pod.path("status").path("conditions")) {
            if (!each.path("type").asText().equals("PodScheduled")) {
                conditions.add(each);
            }
        }
        Admission.child(pod, "status").set("conditions", conditions.add(condition));
    }

    private static void copy(JsonNode from, ObjectNode metadata, String field) {
        JsonNode given = from.path("metadata").path(field);
        if (!given.isEmpty()) {
            TreePatch.merge(Admission.child(metadata, field), given);
        }
    }

    private void checkUid(Stored current, String uid) {
        String actual = current.object().path("metadata").path("uid").asText();
        if (minor >= UID_AT_BINDING && !uid.isEmpty() && !uid.equals(actual)) {
            throw refused(
                    current.name(),
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, actual));
        }
    }

    private static Refused refused(String name, String why) {
        return Refused.conflict("pods/binding", name, "pod " + name + " " + why);
    }

    /// Fails if a budget does not allow to end the pod, otherwise takes one from the budget.
    void takeFromBudget(ServedType budgets, Stored pod, boolean isDry) {
        String phase = pod.object().path("status").path("phase").asText();
        if (phase.equals("Pending")
                || ENDED.contains(phase)
                || pod.object().path("metadata").has("deletionTimestamp")) {
            return;
        }
        List<Stored> covering =
                store.all("policy/poddisruptionbudgets").stream()
                        .filter(each -> each.namespace().equals(pod.namespace()))
                        .filter(
                                each ->
                                        Selector.of(each.object().path("spec").path("selector"))
                                                .matches(pod.object()))
                        .toList();
        if (covering.size() > 1) {
            throw new Refused(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource"
                            + " does not support.");
        }
        if (!covering.isEmpty()) {
            take(budgets, covering.getFirst(), pod, isDry);
        }
    }

    private void take(ServedType budgets, Stored budget, Stored pod, boolean isDry) {
        JsonNode status = budget.object().path("status");
        long generation = budget.object().path("metadata").path("generation").asLong();
        if (status.path("observedGeneration").asLong(0) < generation) {
            throw overBudget();
        }
        boolean isHealthyEnough =
                status.path("desiredHealthy").asInt() > 0
                        && status.path("currentHealthy").asInt()
                                >= status.path("desiredHealthy").asInt();
        if (minor >= UNHEALTHY_EVICTION && !isReady(pod.object()) && isHealthyEnough) {
            return;
        }
        int allowed = status.path("disruptionsAllowed").asInt();
        if (allowed <= 0) {
            throw overBudget();
        }
        if (!isDry) {
            ObjectNode changed = budget.object().deepCopy();
            ObjectNode counted = Admission.child(changed, "status");
            counted.put("disruptionsAllowed", allowed - 1);
            Admission.child(counted, "disruptedPods").put(pod.name(), ObjectStore.now());
            store.commit(budgets, changed);
        }
    }

    private static Refused overBudget() {
        return new Refused(
                429,
                "TooManyRequests",
                "Cannot evict pod as it would violate the pod's disruption budget.");
    }

    private static boolean isReady(JsonNode pod) {
        for (JsonNode each : pod.path("status").path("conditions")) {
            if (each.path("type").asText().equals("Ready")) {
                return each.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /// How long a pod may take to end; 0 removes it at once.
    static long graceSeconds(JsonNode pod, long wanted) {
        boolean isNowhere = pod.path("spec").path("nodeName").asText("").isEmpty();
        if (isNowhere || ENDED.contains(pod.path("status").path("phase").asText())) {
            return 0;
        }
        return wanted >= 0
                ? wanted
                : pod.path("spec").path("terminationGracePeriodSeconds").asLong(GRACE_SECONDS);
    }
}
