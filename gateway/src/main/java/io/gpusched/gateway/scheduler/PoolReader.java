package io.gpusched.gateway.scheduler;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.gateway.pool.PoolConfig;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads the answer of `GET /api/v1/pools`.
final class PoolReader {
    private PoolReader() {}

    static List<PoolConfig> read(JsonNode answer) throws SchedulerFault {
        JsonNode list = answer.path("pools");
        if (!list.isArray()) {
            throw new SchedulerFault(
                    200, "expected a list named pools in the answer of GET /api/v1/pools");
        }
        var pools = new ArrayList<PoolConfig>();
        for (JsonNode each : list) {
            pools.add(pool(each));
        }
        return pools;
    }

    private static PoolConfig pool(JsonNode pool) {
        JsonNode slo = pool.path("slo");
        JsonNode serving = pool.path("serving");
        var replicas = new ArrayList<PoolConfig.ReplicaConfig>();
        for (JsonNode each : pool.path("status").path("replicas")) {
            replicas.add(
                    new PoolConfig.ReplicaConfig(
                            each.path("job_id").asText(""),
                            each.path("number").asInt(0),
                            each.path("state").asText(""),
                            address(each.path("address").asText(""))));
        }
        return new PoolConfig(
                pool.path("name").asText(""),
                pool.path("tenant_id").asText(""),
                pool.path("model").asText(""),
                new PoolConfig.Objectives(
                        slo.path("ttft_ms").asDouble(0),
                        slo.path("itl_ms").asDouble(0),
                        slo.path("tokens_per_second").asDouble(0)),
                new PoolConfig.Serving(
                        path(serving.path("health_path"), "/health"),
                        path(serving.path("metrics_path"), ""),
                        serving.path("session_header").asText("").toLowerCase(Locale.ROOT),
                        Duration.ofSeconds(serving.path("session_ttl_seconds").asLong(3_600))),
                replicas);
    }

    private static String path(JsonNode value, String otherwise) {
        String text = value.asText("");
        return text.startsWith("/") && text.chars().allMatch(each -> each > ' ' && each < 127)
                ? text
                : otherwise;
    }

    /// Resolves the name here, where waiting for it disturbs no request.
    private static @Nullable InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            return null;
        }
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port == 0 || port > 65_535) {
            return null;
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        var address =
                new InetSocketAddress(
                        bracketed ? host.substring(1, host.length() - 1) : host, port);
        return address.isUnresolved() ? null : address;
    }
}
