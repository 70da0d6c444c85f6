package io.gpusched.wire.manifest;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.Slo;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Reads the `spec` of an AgentClass.
final class AgentClassManifest {
    private static final int USUAL_PERMILLE = 990;

    private AgentClassManifest() {}

    static AgentClass read(String name, TenantId tenant, ManifestFields spec) {
        ManifestFields model = spec.object("modelRef");
        String modelName = model.text("name");
        model.skip(Set.of("namespace"));
        model.end();
        Slo slo = slo(spec.object("slo"));
        var profile = new TreeMap<String, String>();
        for (String key : List.of("maxContextLength", "maxTokens", "temperature", "systemPrompt")) {
            String value = spec.text(key);
            if (!value.isEmpty()) {
                profile.put(key, value);
            }
        }
        spec.without("toolPermissions", "the agent's own program enforces permissions");
        spec.without("guardrails", "the agent's own program applies guardrails");
        spec.without("memoryConfig", "the agent's own program keeps its memory; it is not stored");
        spec.end();
        return new AgentClass(name, tenant, modelName, slo, new Labels(profile));
    }

    private static Slo slo(ManifestFields slo) {
        Duration first = slo.duration("ttft", Duration.ZERO);
        if (slo.has("ttft") && first.toMillis() == 0) {
            slo.fields()
                    .problem(
                            "ttft",
                            "ttft must be at least 1 ms",
                            "write for example 500ms, or leave it out");
        }
        int tokens = slo.fields().integer("tokensPerSecond", 0, 1, 1_000_000);
        slo.without("p95Latency", "the objectives are ttft and tokensPerSecond");
        slo.without("maxCostPerRequest", "set maxCostPerHour of the pool");
        slo.without("availabilityPercent", "99 % of requests must meet the objectives");
        slo.end();
        int millis = (int) Math.min(first.toMillis(), 3_600_000);
        return millis + tokens == 0 ? Slo.NONE : new Slo(millis, 0, tokens, USUAL_PERMILLE);
    }
}
