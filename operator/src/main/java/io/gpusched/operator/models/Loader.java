package io.gpusched.operator.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.wire.proto.agent.ModelOrder;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/// The pod that carries out one order on one node. It is bound to the node from the beginning, so
/// that no scheduler has to place it, and it tolerates everything: it uses no GPU.
///
/// The address of the model is an environment variable and never part of a command.
///
/// @param node where it runs
/// @param remove whether it removes the model; otherwise it loads it
record Loader(String node, String model, boolean remove) {
    static final String SELECTOR = "gpu-scheduler.io/component=model-loader";

    /// The argument with which the operator's program does the work of such a pod.
    static final String COMMAND = "cache-model";

    private static final String NODE = "gpu-scheduler.io/node";
    private static final String MODEL = "gpu-scheduler.io/model";
    private static final String ACTION = "gpu-scheduler.io/action";
    private static final long LONGEST_SECONDS = 12 * 3_600;

    static Loader of(JsonNode pod) {
        JsonNode annotations = pod.at("/metadata/annotations");
        return new Loader(
                annotations.path(NODE).asText(""),
                annotations.path(MODEL).asText(""),
                annotations.path(ACTION).asText("").equals("remove"));
    }

    /// The same for the same order, so that it never runs twice at a time.
    String name() {
        String text = node + " " + model + " " + remove;
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "model-" + HexFormat.of().formatHex(hash, 0, 10);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    ObjectNode pod(ModelOrder order, long mostBytes, CacheSettings settings) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("name", name()).put("namespace", settings.namespaceOf(model));
        metadata.putObject("labels")
                .put("app.kubernetes.io/managed-by", "gpu-scheduler")
                .put("gpu-scheduler.io/component", "model-loader");
        metadata.putObject("annotations")
                .put(NODE, node)
                .put(MODEL, model)
                .put(ACTION, remove ? "remove" : "load");
        ObjectNode spec = pod.putObject("spec");
        spec.put("nodeName", node).put("restartPolicy", "Never");
        spec.put("automountServiceAccountToken", false);
        spec.put("activeDeadlineSeconds", LONGEST_SECONDS);
        if (!settings.serviceAccount().isEmpty()) {
            spec.put("serviceAccountName", settings.serviceAccount());
        }
        spec.putArray("tolerations").addObject().put("operator", "Exists");
        String fetcher = remove ? "" : settings.fetchers().getOrDefault(scheme(order.getUri()), "");
        if (!fetcher.isEmpty()) {
            ObjectNode fetch = container("fetch", fetcher, order, mostBytes, settings);
            spec.putArray("initContainers").add(fetch);
        }
        ObjectNode work = container("load", settings.image(), order, mostBytes, settings);
        work.putArray("args").add(COMMAND);
        variable(work, "MODEL_FETCHED", Boolean.toString(!fetcher.isEmpty()));
        spec.putArray("containers").add(work);
        settings.volume().mount(spec, node, false);
        return pod;
    }

    private ObjectNode container(
            String name, String image, ModelOrder order, long mostBytes, CacheSettings settings) {
        ObjectNode container = JsonNodeFactory.instance.objectNode();
        container.put("name", name).put("image", image);
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        variable(container, "MODEL_ACTION", remove ? "remove" : "load");
        variable(container, "MODEL_NAME", model);
        variable(container, "MODEL_URI", order.getUri());
        variable(container, "MODEL_BYTES", Long.toString(order.getBytes()));
        variable(container, "MODEL_CACHE", settings.volume().root());
        variable(container, "MODEL_CACHE_BYTES", Long.toString(mostBytes));
        variable(container, "MODEL_DIR", settings.volume().root() + "/.fetched");
        container
                .putObject("resources")
                .putObject("requests")
                .put("cpu", "100m")
                .put("memory", "256Mi");
        ObjectNode security = container.putObject("securityContext");
        security.put("allowPrivilegeEscalation", false).put("runAsUser", 0);
        security.putObject("capabilities").putArray("drop").add("ALL");
        return container;
    }

    private static void variable(ObjectNode container, String name, String value) {
        container.withArray("env").addObject().put("name", name).put("value", value);
    }

    private static String scheme(String uri) {
        int colon = uri.indexOf(':');
        return colon > 0 ? uri.substring(0, colon).toLowerCase(Locale.ROOT) : "";
    }
}
