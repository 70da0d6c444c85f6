package io.gpusched.operator.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.pods.ClusterObjects;

import java.util.Map;
import java.util.Set;

/// What a job says about its pods beyond image and command. It travels as the attachment of the
/// job, or is empty.
///
///     {"kind": "template", "namespace": "team-a", "owner": {"kind": "AgentPool", …},
///      "labels": {"neuronetes.io/pool": "chat"}, "template": {"spec": {"containers": […]}}}
///
/// Users write it, and the operator creates pods with rights that users may not have. So only
/// fields that give no power over the node, over other namespaces or over the API server are
/// accepted; any other is an error that names it.
///
/// @param owner an owner reference; empty for none
record JobTemplate(String namespace, ObjectNode owner, ObjectNode labels, ObjectNode template) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TENANT = "gpu-scheduler.io/tenant";
    private static final Set<String> FIELDS =
            Set.of("kind", "namespace", "owner", "labels", "template");
    private static final Set<String> POD =
            Set.of(
                    "containers",
                    "initContainers",
                    "volumes",
                    "imagePullSecrets",
                    "nodeSelector",
                    "tolerations",
                    "securityContext",
                    "restartPolicy",
                    "terminationGracePeriodSeconds",
                    "enableServiceLinks");
    private static final Set<String> CONTAINER =
            Set.of(
                    "name",
                    "image",
                    "imagePullPolicy",
                    "command",
                    "args",
                    "env",
                    "envFrom",
                    "ports",
                    "resources",
                    "volumeMounts",
                    "workingDir",
                    "livenessProbe",
                    "readinessProbe",
                    "startupProbe",
                    "lifecycle",
                    "securityContext");
    private static final Set<String> VOLUMES =
            Set.of("name", "emptyDir", "persistentVolumeClaim", "configMap", "secret");
    private static final Set<String> SECURITY =
            Set.of(
                    "runAsUser",
                    "runAsGroup",
                    "runAsNonRoot",
                    "fsGroup",
                    "readOnlyRootFilesystem",
                    "allowPrivilegeEscalation");
    private static final Set<String> PORT = Set.of("name", "containerPort", "protocol");

    /// @throws UnusableJob if the text is no attachment, or has a field that is not allowed
    static JobTemplate read(String text, String tenant) {
        JsonNode tree = parse(text);
        only(tree, FIELDS, "attachment");
        if (tree.has("kind") && !tree.path("kind").asText().equals("template")) {
            throw new UnusableJob(
                    "attachment.kind: expected template or no attachment, found "
                            + tree.path("kind").asText());
        }
        ObjectNode template = object(tree, "template");
        check(template.path("spec"));
        return new JobTemplate(
                tree.path("namespace").asText(tenant),
                object(tree, "owner"),
                object(tree, "labels"),
                template);
    }

    private static JsonNode parse(String text) {
        if (text.isBlank()) {
            return JsonNodeFactory.instance.objectNode();
        }
        try {
            JsonNode tree = JSON.readTree(text);
            if (tree.isObject()) {
                return tree;
            }
        } catch (JsonProcessingException _) {
            // Reported below like any other text that is no object.
        }
        throw new UnusableJob("attachment: expected a JSON object, or nothing");
    }

    private static ObjectNode object(JsonNode tree, String field) {
        JsonNode found = tree.path(field);
        if (found instanceof ObjectNode object) {
            return object;
        }
        if (found.isMissingNode() || found.isNull()) {
            return JsonNodeFactory.instance.objectNode();
        }
        throw new UnusableJob("attachment." + field + ": expected an object");
    }

    private static void check(JsonNode spec) {
        only(spec, POD, "template.spec");
        only(spec.path("securityContext"), SECURITY, "template.spec.securityContext");
        for (JsonNode volume : spec.path("volumes")) {
            only(volume, VOLUMES, "template.spec.volumes");
        }
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : spec.path(list)) {
                String at = "template.spec." + list;
                only(container, CONTAINER, at);
                JsonNode security = container.path("securityContext");
                only(security, SECURITY, at + ".securityContext");
                if (security.path("allowPrivilegeEscalation").asBoolean(false)) {
                    throw new UnusableJob(
                            at + ".securityContext.allowPrivilegeEscalation: remove it");
                }
                for (JsonNode port : container.path("ports")) {
                    only(port, PORT, at + ".ports");
                }
            }
        }
    }

    private static void only(JsonNode object, Set<String> allowed, String at) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!allowed.contains(field.getKey())) {
                throw new UnusableJob(
                        "%s.%s: pods of the scheduler may not have it; remove it, or create the pod"
                                        .formatted(at, field.getKey())
                                + " yourself with the schedulerName of the scheduler");
            }
        }
    }

    /// The namespace belongs to the tenant that its annotation names, else to the one of its own
    /// name. Namespaces of the system belong to nobody unless they are annotated.
    ///
    /// @throws UnusableJob if it is not the tenant's
    void checkTenant(ClusterObjects objects, String tenant) {
        JsonNode found =
                namespace.isEmpty()
                        ? MissingNode.getInstance()
                        : objects.find(ResourceType.NAMESPACES, "", namespace);
        if (found.isMissingNode()) {
            throw new UnusableJob(
                    "there is no namespace '%s'; create it, or name another in the attachment"
                            .formatted(namespace));
        }
        String usual = namespace.startsWith("kube-") ? "" : namespace;
        String owned = found.path("metadata").path("annotations").path(TENANT).asText(usual);
        if (!owned.equals(tenant)) {
            throw new UnusableJob(
                    "namespace %s does not belong to tenant %s; use another, or annotate it with"
                                    .formatted(namespace, tenant)
                            + " %s=%s".formatted(TENANT, tenant));
        }
    }

    /// The template of the first container; empty where there is none.
    ObjectNode main() {
        return template.at("/spec/containers/0") instanceof ObjectNode main
                ? main.deepCopy()
                : JsonNodeFactory.instance.objectNode();
    }
}
