package io.gpusched.wire.manifest;

import io.gpusched.core.model.TenantId;
import io.gpusched.wire.pool.TreeBuilder;
import io.gpusched.wire.request.JsonTree;

import java.util.List;

/// Turns the `spec` of a ToolBinding into the document of a binding.
final class ToolBindingManifest {
    private ToolBindingManifest() {}

    static JsonTree.Mapping document(String name, TenantId tenant, ManifestFields spec) {
        var out = new TreeBuilder().put("name", name).put("tenant_id", tenant.name());
        String pool =
                spec.fields().value("agentPoolRef") instanceof JsonTree.Mapping
                        ? pool(spec.object("agentPoolRef"))
                        : spec.text("agentPoolRef");
        if (pool.isEmpty()) {
            spec.warn(
                    "agentPoolRef", "is missing: the binding has no effect until it names a pool");
        }
        out.putUnlessEmpty("pool", pool);
        boolean topic = spec.has("topicConfig") && !spec.has("queueConfig");
        String type = spec.text("type");
        out.put("type", type.isEmpty() ? topic ? "topic" : "queue" : type);
        if (spec.has("queueConfig") || topic) {
            source(spec.object(topic ? "topicConfig" : "queueConfig"), out);
        }
        if (!topic) {
            spec.without("topicConfig", "queueConfig is used");
        }
        for (String key : List.of("httpConfig", "concurrency", "timeouts", "retryPolicy")) {
            spec.without(key, "the gateway's own settings decide it");
        }
        spec.end();
        return out.build();
    }

    private static String pool(ManifestFields reference) {
        String name = reference.text("name");
        reference.without("namespace", "names of pools are unique in the cluster");
        reference.end();
        return name;
    }

    private static void source(ManifestFields config, TreeBuilder out) {
        out.putUnlessEmpty("provider", config.text("provider"));
        JsonTree connection = config.fields().value("connectionString");
        if (connection != null) {
            out.put("connection", connection);
        } else {
            config.warn("connectionString", "is missing: no gateway can read the queue without it");
        }
        String queue = config.text("queueName");
        out.putUnlessEmpty("queue", queue.isEmpty() ? config.text("topicName") : queue);
        out.putUnlessEmpty("group", config.text("consumerGroup"));
        boolean scales = config.flag("autoscaleOnLag", config.has("maxLagThreshold"));
        out.put("autoscale", scales);
        number(config, "prefetchCount", "prefetch", out);
        number(config, "throughput", "throughput", out);
        number(config, "maxLagThreshold", "max_lag", out);
        if (scales && !config.has("maxLagThreshold")) {
            out.put("max_lag", 100);
        }
        config.without("ackMode", "the gateway only reads the depth of the queue");
        config.without("partitions", "all partitions of the topic are counted");
        config.end();
    }

    private static void number(ManifestFields from, String key, String ours, TreeBuilder out) {
        JsonTree found = from.fields().value(key);
        if (found != null) {
            out.put(ours, found);
        }
    }
}
