package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.PodResources;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.TreeMap;

/// What a replica of an AgentPool runs and asks for: its pod template, and the fields of a job that
/// follow from it.
///
/// The template travels with the job as its attachment, which the scheduler keeps and does not
/// read. Its text is the same for equal templates, because another text replaces all replicas. The
/// namespace in it is that of the AgentPool, whatever the AgentPool says: the operator creates the
/// pods with its own rights.
///
///     {"kind": "template", "namespace": "team-a", "labels": {"neuronetes.io/pool": "chat"},
///      "owner": {"kind": "AgentPool", "name": "chat", …}, "template": {"spec": {…}}}
final class ReplicaPods {
    static final String POOL_LABEL = "neuronetes.io/pool";
    static final String CLUSTER_LABEL = "gpu-scheduler.io/cluster";

    private static final Logger log = LoggerFactory.getLogger(ReplicaPods.class);
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private final PoolSettings settings;

    ReplicaPods(PoolSettings settings) {
        this.settings = settings;
    }

    /// Whether anything says what a replica runs.
    boolean isRunnable(ObjectNode pool) {
        JsonNode own = pool.at("/spec/replica");
        return !template(pool).isEmpty()
                || own.has("image")
                || own.has("command")
                || own.has("script");
    }

    /// Completes the `spec` of the manifest, a copy of that of the pool.
    void complete(ObjectNode pool, ObjectNode spec) {
        JsonNode template = template(pool);
        JsonNode pod = template.path("spec");
        ObjectNode replica =
                spec.path("replica") instanceof ObjectNode own ? own : spec.putObject("replica");
        PodResources asked = asked(template);
        gpus(asked, spec);
        host(asked, replica);
        main(pod, replica);
        nodes(pod, spec, replica);
        labels(replica).put(CLUSTER_LABEL, settings.cluster());
        replica.put("attachment", attachment(pool, template));
        spec.remove("template");
    }

    /// The label selector of the pods.
    static String selector(ObjectKey pool) {
        return POOL_LABEL + "=" + ServerNames.fitted(pool.name());
    }

    private JsonNode template(ObjectNode pool) {
        JsonNode own = pool.at("/spec/template");
        return own.isObject() && !own.isEmpty() ? own : settings.template();
    }

    /// GPUs or slices, unless the pool names them itself.
    private static void gpus(PodResources asked, ObjectNode spec) {
        if (spec.at("/gpuRequirements").has("count")) {
            return;
        }
        if (asked.gpus() > 0) {
            object(spec, "gpuRequirements").put("count", asked.gpus());
        }
        asked.slices()
                .forEach(
                        (profile, count) -> {
                            object(spec, "gpuRequirements").put("count", count);
                            spec.put("migProfile", profile);
                        });
    }

    /// Processors and memory, unless the pool names them itself.
    private static void host(PodResources asked, ObjectNode replica) {
        if (asked.milliCpu() > 0 && !replica.has("cpu_cores") && !replica.has("cpu_milli")) {
            replica.put("cpu_milli", asked.milliCpu());
        }
        if (asked.memoryMiB() > 0 && !replica.has("memory_mb")) {
            replica.put("memory_mb", asked.memoryMiB());
        }
    }

    /// What the pod asks for; nothing where that is no quantity, which the API server will refuse.
    private static PodResources asked(JsonNode template) {
        try {
            return PodResources.of(template);
        } catch (IllegalArgumentException e) {
            log.debug("the template cannot be read", e);
            return PodResources.NONE;
        }
    }

    /// Image, command and grace, for people who look at the job.
    private static void main(JsonNode pod, ObjectNode replica) {
        JsonNode first = pod.at("/containers/0");
        if (first.has("image") && !replica.has("image")) {
            replica.set("image", first.path("image"));
        }
        if (first.path("command").isArray() && !replica.has("command")) {
            replica.set("command", first.path("command"));
        }
        if (first.path("args").isArray() && !replica.has("args")) {
            replica.set("args", first.path("args"));
        }
        JsonNode grace = pod.path("terminationGracePeriodSeconds");
        if (grace.isIntegralNumber() && grace.asLong() > 0 && !replica.has("grace_seconds")) {
            replica.set("grace_seconds", grace);
        }
    }

    /// The nodes of this cluster that the template, the pool and its replica select.
    private void nodes(JsonNode pod, ObjectNode spec, ObjectNode replica) {
        var selected = new TreeMap<String, String>();
        for (JsonNode selector :
                new JsonNode[] {
                    pod.path("nodeSelector"),
                    spec.at("/scheduling/nodeSelector"),
                    replica.path("node_selector")
                }) {
            selector.properties()
                    .forEach(each -> selected.put(each.getKey(), each.getValue().asText()));
        }
        selected.putAll(settings.nodes());
        if (!selected.isEmpty()) {
            ObjectNode out = replica.putObject("node_selector");
            selected.forEach(out::put);
        }
        if (pod.path("tolerations").isArray() && !replica.has("tolerations")) {
            var all = replica.putArray("tolerations");
            for (JsonNode each : pod.path("tolerations")) {
                ObjectNode one = all.addObject();
                for (String key : new String[] {"key", "operator", "value", "effect"}) {
                    one.put(key, each.path(key).asText(key.equals("operator") ? "Equal" : ""));
                }
            }
        }
    }

    private static ObjectNode labels(ObjectNode replica) {
        return object(replica, "labels");
    }

    private static ObjectNode object(ObjectNode in, String key) {
        return in.path(key) instanceof ObjectNode present ? present : in.putObject(key);
    }

    private static String attachment(ObjectNode pool, JsonNode template) {
        var key = ObjectKey.of(PoolKind.AGENT_POOL, pool);
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.put("kind", "template").put("namespace", key.namespace());
        out.putObject("owner")
                .put("apiVersion", key.kind().type().apiVersion())
                .put("kind", key.kind().text())
                .put("name", key.name())
                .put("uid", pool.at("/metadata/uid").asText());
        ObjectNode labels = out.putObject("labels");
        labels.put(POOL_LABEL, ServerNames.fitted(key.name()));
        labels.put("neuronetes.io/component", "replica");
        String agentClass = pool.at("/spec/agentClassRef/name").asText("");
        if (!agentClass.isEmpty()) {
            labels.put("neuronetes.io/agent-class", ServerNames.fitted(agentClass));
        }
        if (!template.isEmpty()) {
            out.set("template", template);
        }
        try {
            return SORTED.writeValueAsString(SORTED.treeToValue(out, Object.class));
        } catch (IOException e) {
            throw new UncheckedIOException("a tree cannot be written", e);
        }
    }
}
