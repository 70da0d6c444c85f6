package io.gpusched.demo.pool;

import com.fasterxml.jackson.databind.JsonNode;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Declares the pool `chat`, sends it a day of traffic, and reports its load every second. Pools of
/// visitors get no requests, but their replicas become ready.
///
///     scheduler ── which replicas run ──▶ simulated replicas ◀── requests of the day
///         ▲                                      │
///         └──────────── load, every second ──────┘
public final class PoolTraffic implements AutoCloseable {
    /// The name of the demo's pool.
    public static final String CHAT = "chat";

    private static final Logger LOG = LoggerFactory.getLogger(PoolTraffic.class);
    private static final long SEED = 1;
    private static final long PAUSE_MILLIS = 1000;

    /// Four of its replicas take one of the demo's large machines and a half; its priority is above
    /// that of all batch jobs, so that it preempts them in the morning.
    private static final String POOL =
            """
            {"name": "chat", "tenant_id": "production", "model": "llama-2-70b",
             "replica": {"command": ["vllm", "serve", "llama-2-70b"], "gpu_count": 4,
                         "gpu_model": ["H100-80GB", "A100-80GB"], "cpu_cores": 8,
                         "memory_mb": 64000, "priority": 500, "grace_seconds": 5,
                         "labels": {"demo": "true"}},
             "min_replicas": 1, "max_replicas": 7,
             "slo": {"ttft_ms": 1000, "itl_ms": 75, "percent": 99},
             "scaling": {"law": "slo", "interval_seconds": 2, "stale_after_seconds": 15,
                         "scale_down": {"stabilization_seconds": 20,
                                        "steps": [{"replicas": 1, "period_seconds": 5}]}},
             "serving": {"port": 9000, "load_seconds": 6, "drain_seconds": 20}}
            """;

    private final PoolApi api;
    private final Map<String, SimulatedPool> pools = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final long began = System.nanoTime();
    private final long beganEpoch = System.currentTimeMillis();
    private final Thread thread = Thread.ofPlatform().name("demo-traffic").unstarted(this::run);

    /// @param api closed with this
    public PoolTraffic(PoolApi api) {
        this.api = api;
        pools.put(CHAT, SimulatedPool.of(new TrafficDay(SEED)));
    }

    /// Declares the pool, then continues in the background.
    public void start() {
        try {
            api.send("PUT", "pools/" + CHAT, POOL);
        } catch (IOException e) {
            LOG.warn("the demo runs without its pool: {}", e.getMessage());
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        LOG.info(
                "the pool {} serves a day of chat traffic in {} minutes; there it is {}:00 now",
                CHAT,
                (int) TrafficDay.SECONDS / 60,
                (int) TrafficDay.FIRST_HOUR);
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    serve(api.get("pools").path("pools"));
                } catch (IOException e) {
                    LOG.debug("the demo skips a report: {}", e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(JsonNode known) throws IOException, InterruptedException {
        double now = (System.nanoTime() - began) / 1e9;
        for (JsonNode pool : known) {
            String name = pool.path("name").asText();
            SimulatedPool served = pools.computeIfAbsent(name, _ -> SimulatedPool.idle(now));
            served.follow(started(pool.at("/status/replicas")));
            served.runTo(now);
            api.send("POST", "pools/" + path(name) + "/load", served.report().json(beganEpoch));
        }
    }

    /// The jobs of the replicas that run; true for those that drain.
    private static Map<String, Boolean> started(JsonNode replicas) {
        var started = new LinkedHashMap<String, Boolean>();
        for (JsonNode replica : replicas) {
            String state = replica.path("state").asText();
            if (!state.equals("waiting")) {
                started.put(replica.path("job_id").asText(), state.equals("draining"));
            }
        }
        return started;
    }

    private static String path(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        api.close();
    }
}
