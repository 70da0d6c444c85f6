package io.gpusched.wire.manifest;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.wire.pool.TreeBuilder;
import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Turns the `spec` of an AgentPool into the document of a pool. The command of a replica, which
/// NeuroNetes leaves to its agent class, is written under `spec.replica` with the fields of a job.
final class AgentPoolManifest {
    private static final long MIB = 1L << 20;

    private final String name;
    private final TenantId tenant;
    private final ManifestFields metadata;
    private final ManifestFields spec;
    private String agentClass = "";

    AgentPoolManifest(String name, TenantId tenant, ManifestFields metadata, ManifestFields spec) {
        this.name = name;
        this.tenant = tenant;
        this.metadata = metadata;
        this.spec = spec;
    }

    /// The class that the pool names; empty for none. Known after [#document].
    String agentClass() {
        return agentClass;
    }

    JsonTree.Mapping document() {
        var out = new TreeBuilder().put("name", name).put("tenant_id", tenant.name());
        ManifestFields reference = spec.object("agentClassRef");
        agentClass = reference.text("name");
        reference.skip(Set.of("namespace"));
        reference.end();
        ManifestFields scheduling = spec.object("scheduling");
        int members = members(scheduling);
        size(members, out);
        copy(spec, "prewarmPercent", "warm_percent", out);
        out.put("replica", replica(scheduling));
        var scaling = new AutoscalingManifest(spec);
        out.put("scaling", scaling.document());
        out.put("cost", new CostManifest(scheduling, scaling).document());
        carbon(scheduling, out);
        locality(scheduling, out);
        serving(out);
        schedulingRest(scheduling);
        spec.without(
                "tokensPerSecondBudget", "limits of tokens per second are set per gateway key");
        spec.end();
        return out.build();
    }

    private static int members(ManifestFields scheduling) {
        if (!scheduling.isEnabled("gangScheduling")) {
            return 0;
        }
        ManifestFields gang = scheduling.object("gangScheduling");
        int members = gang.fields().integer("minMembers", 0, 0, 10_000);
        gang.skip(Set.of("enabled"));
        gang.end();
        if (members > 0) {
            scheduling.warn(
                    "gangScheduling",
                    "is read as at least %d replicas: each replica is placed whole, but not all of them at one instant"
                            .formatted(members));
        }
        return members;
    }

    private void size(int members, TreeBuilder out) {
        copy(spec, "maxReplicas", "max_replicas", out);
        if (members == 0) {
            copy(spec, "minReplicas", "min_replicas", out);
            return;
        }
        int given = spec.fields().integer("minReplicas", 0, 0, 10_000);
        out.put("min_replicas", Math.max(given, members));
    }

    private JsonTree replica(ManifestFields scheduling) {
        var entries = new LinkedHashMap<String, JsonTree>();
        var gpus = new TreeBuilder();
        ManifestFields required = spec.object("gpuRequirements");
        copy(required, "count", "gpu_count", gpus);
        memory(required, gpus);
        gpus.putUnlessEmpty("gpu_model", required.text("type"));
        ManifestFields topology = required.object("topology");
        gpus.putUnlessEmpty("gpu_locality", topology.text("locality"));
        gpus.putUnlessEmpty("gpu_min_bandwidth", topology.text("minBandwidth"));
        topology.end();
        required.end();
        gpus.putUnlessEmpty("mig_profile", spec.text("migProfile"));
        copy(scheduling, "priority", "priority", gpus);
        copy(scheduling, "nodeSelector", "node_selector", gpus);
        entries.putAll(gpus.build().entries());
        if (spec.fields().value("replica") instanceof JsonTree.Mapping own) {
            entries.putAll(own.entries());
        }
        entries.put("labels", labels(entries.get("labels")));
        return new JsonTree.Mapping(entries);
    }

    /// A number without a unit is far too small for bytes, so it is read as Gi.
    private static void memory(ManifestFields required, TreeBuilder gpus) {
        long bytes = required.bytes("memory");
        if (bytes > 0 && bytes < 4_096) {
            required.warn("memory", "has no unit and is read as " + bytes + "Gi");
            bytes = bytes << 30;
        }
        gpus.putUnlessZero("gpu_memory_mb", (bytes + MIB - 1) / MIB);
    }

    private JsonTree labels(@Nullable JsonTree own) {
        var labels = new LinkedHashMap<String, JsonTree>();
        if (metadata.fields().value("labels") instanceof JsonTree.Mapping given) {
            labels.putAll(given.entries());
        }
        if (own instanceof JsonTree.Mapping given) {
            labels.putAll(given.entries());
        }
        if (!agentClass.isEmpty()) {
            labels.put(AgentClass.LABEL, new JsonTree.Text(agentClass));
        }
        return new JsonTree.Mapping(labels);
    }

    private static void carbon(ManifestFields scheduling, TreeBuilder out) {
        if (!scheduling.isEnabled("carbonAware")) {
            return;
        }
        ManifestFields carbon = scheduling.object("carbonAware");
        var rules = new TreeBuilder();
        rules.putUnlessEmpty("preferred_regions", carbon.texts("preferredRegions"));
        copy(carbon, "maxCarbonIntensity", "max_carbon_intensity", rules);
        if (carbon.isEnabled("timeShifting")) {
            ManifestFields shifting = carbon.object("timeShifting");
            rules.putUnlessEmpty("clean_hours", shifting.text("cleanEnergyHours"));
            shifting.skip(Set.of("enabled"));
            shifting.end();
        }
        carbon.skip(Set.of("enabled", "timeShifting"));
        carbon.end();
        out.put("carbon", rules.build());
    }

    private static void locality(ManifestFields scheduling, TreeBuilder out) {
        var rules = new TreeBuilder();
        ManifestFields locality = scheduling.object("dataLocality");
        var near = new ArrayList<>(locality.texts("vectorStoreAffinity"));
        near.addAll(locality.texts("cacheAffinity"));
        rules.putUnlessEmpty("near", List.copyOf(near));
        rules.putUnlessEmpty("weight", locality.text("localityWeight"));
        rules.putUnlessEmpty("apart", locality.texts("antiAffinity"));
        locality.skip(Set.of("enabled"));
        locality.end();
        if (scheduling.isEnabled("cacheAware")) {
            ManifestFields cache = scheduling.object("cacheAware");
            copy(cache, "cacheHitWeight", "cache_hit_weight", rules);
            preload(cache.object("preloadStrategy"), rules);
            cache.skip(Set.of("enabled"));
            cache.end();
        }
        out.put("locality", rules.build());
    }

    private static void preload(ManifestFields strategy, TreeBuilder rules) {
        copy(strategy, "minCachedReplicas", "min_cached_replicas", rules);
        ManifestFields nodes = strategy.object("nodes");
        ManifestFields selector = nodes.object("labelSelector");
        if (selector.fields().value("matchLabels") instanceof JsonTree.Mapping labels) {
            var entries = labels.entries().entrySet().iterator();
            if (entries.hasNext()) {
                var first = entries.next();
                String value =
                        first.getValue() instanceof JsonTree.Text(String text)
                                ? text
                                : first.getValue().shown();
                rules.put("preload_label", first.getKey() + "=" + value);
            }
            if (entries.hasNext()) {
                selector.warn("matchLabels", "has several labels; only the first one is used");
            }
        }
        selector.end();
        nodes.end();
        strategy.end();
    }

    private void serving(TreeBuilder out) {
        var serving = new LinkedHashMap<String, JsonTree>();
        if (spec.isEnabled("sessionAffinity")) {
            ManifestFields affinity = spec.object("sessionAffinity");
            String header = affinity.text("keyHeader");
            String type = affinity.text("type").toLowerCase(Locale.ROOT);
            var rules = new TreeBuilder();
            rules.put(
                    "session_header",
                    !header.isEmpty()
                            ? header
                            : type.isEmpty() || type.equals("custom")
                                    ? "x-session-id"
                                    : "x-" + type);
            Duration ttl = affinity.duration("ttl", Duration.ZERO);
            rules.putUnlessZero("session_ttl_seconds", ttl.toSeconds());
            affinity.skip(Set.of("enabled"));
            affinity.end();
            serving.putAll(rules.build().entries());
        }
        if (spec.fields().value("serving") instanceof JsonTree.Mapping own) {
            serving.putAll(own.entries());
        }
        spec.skip(Set.of("sessionAffinity"));
        out.put("serving", new JsonTree.Mapping(serving));
    }

    private static void schedulingRest(ManifestFields scheduling) {
        ManifestFields preemption = scheduling.object("preemption");
        preemption.skip(Set.of("enabled"));
        preemption.without("policy", "the scheduler's policy chooses victims, by priority first");
        preemption.end();
        scheduling.without(
                "fastScheduling", "the scheduler limits by itself how many nodes it compares");
        scheduling.skip(Set.of("carbonAware", "cacheAware", "gangScheduling"));
        scheduling.end();
    }

    static void copy(ManifestFields from, String key, String ours, TreeBuilder out) {
        JsonTree found = from.fields().value(key);
        if (found != null) {
            out.put(ours, found);
        }
    }
}
