package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/// Turns a custom resource into the manifest that the scheduler takes: the same `spec`, with names
/// that are unique at the scheduler, and with what a replica runs. The namespace of the manifest is
/// the tenant.
///
///     team-a/chat: agentClassRef: {name: assistant}
///     →  name: team-a.chat, agentClassRef: {name: team-a.assistant}
final class Manifests {
    /// A manifest, or why there is none.
    sealed interface Prepared {
        record Ready(ObjectNode manifest) implements Prepared {}

        record Wrong(Complaint complaint) implements Prepared {}
    }

    private final ServerNames names;
    private final References references;
    private final ReplicaPods replicas;

    Manifests(ServerNames names, References references, ReplicaPods replicas) {
        this.names = names;
        this.references = references;
        this.replicas = replicas;
    }

    void know(String namespace, String tenant) {
        references.know(namespace, tenant);
    }

    Prepared of(ObjectKey key, ObjectNode object, String tenant) {
        JsonNode given = object.path("spec");
        ObjectNode spec =
                given instanceof ObjectNode present
                        ? present.deepCopy()
                        : JsonNodeFactory.instance.objectNode();
        String secret = key.kind() == PoolKind.TOOL_BINDING ? secretOfGateway(spec) : "";
        if (!secret.isEmpty()) {
            return new Prepared.Wrong(
                    new Complaint(
                            secret,
                            "only an administrator may name a variable or a file of the gateway",
                            "write the connection string itself, or ask an administrator to put"
                                    + " the binding with gpu-cli apply"));
        }
        switch (key.kind()) {
            case AGENT_POOL -> pool(key, object, spec);
            case AGENT_CLASS -> agentClass(key, spec);
            case MODEL -> model(key, spec);
            case TOOL_BINDING -> binding(key, object, spec);
        }
        ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.put("apiVersion", key.kind().type().apiVersion()).put("kind", key.kind().text());
        ObjectNode metadata = manifest.putObject("metadata");
        metadata.put("name", names.of(key)).put("namespace", tenant);
        if (object.at("/metadata/labels") instanceof ObjectNode labels) {
            metadata.set("labels", labels);
        }
        manifest.set("spec", spec);
        return new Prepared.Ready(manifest);
    }

    private void pool(ObjectKey key, ObjectNode object, ObjectNode spec) {
        spec.remove("replicas");
        ObjectKey agentClass = References.agentClass(key, object);
        if (!agentClass.name().isEmpty()) {
            spec.putObject("agentClassRef").put("name", names.of(agentClass));
        }
        if (spec.at("/scheduling/costOptimization") instanceof ObjectNode cost) {
            fallback(key, cost, "fallbackModel");
            fallback(key, cost, "largerModel");
        }
        replicas.complete(object, spec);
    }

    /// The scheduler refuses a pool whose fallback it does not know. Objects come in any order, so
    /// the pool does without until the model is there; meanwhile a condition names it.
    private void fallback(ObjectKey key, ObjectNode cost, String field) {
        if (references.hasModel(key, cost.path(field).asText(""))) {
            model(key, cost, field);
        } else {
            cost.remove(field);
        }
    }

    private void agentClass(ObjectKey key, ObjectNode spec) {
        if (spec.path("modelRef") instanceof ObjectNode reference) {
            String name = reference.path("name").asText("");
            String namespace = reference.path("namespace").asText("");
            reference.remove("namespace");
            if (!name.isEmpty()) {
                reference.put("name", references.model(key, namespace, name));
            }
        }
    }

    private void model(ObjectKey key, ObjectNode spec) {
        model(key, spec, "smaller");
        model(key, spec, "larger");
    }

    private void model(ObjectKey key, ObjectNode in, String field) {
        String name = in.path(field).asText("");
        if (!name.isEmpty()) {
            in.put(field, references.model(key, "", name));
        }
    }

    private void binding(ObjectKey key, ObjectNode object, ObjectNode spec) {
        ObjectKey pool = References.pool(key, object);
        if (!pool.name().isEmpty()) {
            spec.putObject("agentPoolRef").put("name", names.of(pool));
        }
    }

    /// The field that would make the gateway read its own environment or files for a tenant: the
    /// operator has an administrator's rights, and the author of the object has not.
    private static String secretOfGateway(ObjectNode spec) {
        for (String part : List.of("queueConfig", "topicConfig")) {
            String connection = spec.path(part).path("connectionString").asText("").strip();
            if (connection.startsWith("env:") || connection.startsWith("file:")) {
                return "spec." + part + ".connectionString";
            }
        }
        return "";
    }
}
