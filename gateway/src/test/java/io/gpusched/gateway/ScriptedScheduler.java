package io.gpusched.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A scheduler that answers the few requests a gateway makes, over real HTTP, with what the test
/// has put into it.
final class ScriptedScheduler implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    /// @param json the report as it came
    record Report(String pool, String token, JsonNode json) {}

    private final HttpServer http;
    private final Map<String, ObjectNode> pools = new TreeMap<>();
    private final Map<String, String> tenants = new ConcurrentHashMap<>();
    private final List<Report> reports = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private final AtomicInteger questions = new AtomicInteger();
    private int version;

    ScriptedScheduler() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/api/v1/pools", this::pools);
        http.createContext("/api/v1/whoami", this::whoami);
        http.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /// A pool of tenant `acme` with the model `llama`.
    ScriptedScheduler pool(String name) throws IOException {
        return pool(
                """
                {"name": "%s", "tenant_id": "acme", "model": "llama",
                 "slo": {"ttft_ms": 60000, "itl_ms": 60000},
                 "serving": {"health_path": "/health", "metrics_path": "/metrics",
                   "session_header": "X-Session-Id", "session_ttl_seconds": 3600},
                 "status": {"replicas": []}}
                """
                        .formatted(name),
                name);
    }

    private synchronized ScriptedScheduler pool(String json, String name) throws IOException {
        pools.put(name, (ObjectNode) JSON.readTree(json));
        version++;
        return this;
    }

    private ObjectNode of(String pool) {
        return Objects.requireNonNull(pools.get(pool), pool);
    }

    synchronized ScriptedScheduler replica(String pool, String job, String state, int port) {
        var replicas = of(pool).withObject("/status").withArray("replicas");
        for (int i = 0; i < replicas.size(); i++) {
            if (replicas.get(i).path("job_id").asText().equals(job)) {
                replicas.remove(i);
            }
        }
        replicas.addObject()
                .put("job_id", job)
                .put("number", replicas.size())
                .put("state", state)
                .put("address", "127.0.0.1:" + port);
        version++;
        return this;
    }

    synchronized void forget(String pool, String job) {
        var replicas = of(pool).withObject("/status").withArray("replicas");
        for (int i = replicas.size() - 1; i >= 0; i--) {
            if (replicas.get(i).path("job_id").asText().equals(job)) {
                replicas.remove(i);
            }
        }
        version++;
    }

    synchronized void delete(String pool) {
        pools.remove(pool);
        version++;
    }

    /// From now on keys are asked for, and this one is of the tenant.
    ScriptedScheduler key(String key, String tenant) {
        tenants.put(key, tenant);
        return this;
    }

    /// Answers everything with this status from now on.
    void status(int now) {
        status = now;
    }

    List<Report> reports() {
        return reports;
    }

    /// The newest report, which must exist.
    JsonNode last() {
        return reports.getLast().json();
    }

    /// How often it was asked for the owner of a key.
    int questions() {
        return questions.get();
    }

    private void pools(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (status != 200) {
            answer(exchange, status, "{}");
        } else if (path.endsWith("/load")) {
            String pool = path.split("/")[4];
            reports.add(new Report(pool, key(exchange), JSON.readTree(body)));
            answer(exchange, 202, "{}");
        } else {
            list(exchange);
        }
    }

    private synchronized void list(HttpExchange exchange) throws IOException {
        String tag = "\"" + version + "\"";
        exchange.getResponseHeaders().add("ETag", tag);
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            exchange.close();
            return;
        }
        ObjectNode list = JSON.createObjectNode();
        list.putArray("pools").addAll(pools.values());
        answer(exchange, 200, list.put("total", pools.size()).toString());
    }

    private void whoami(HttpExchange exchange) throws IOException {
        questions.incrementAndGet();
        String tenant = tenants.get(key(exchange));
        if (status != 200) {
            answer(exchange, status, "{}");
        } else if (tenants.isEmpty()) {
            answer(exchange, 200, "{\"name\":\"admin\",\"role\":\"admin\",\"auth\":false}");
        } else if (tenant == null) {
            answer(exchange, 401, "{}");
        } else {
            answer(
                    exchange,
                    200,
                    "{\"name\":\"%s\",\"role\":\"tenant\",\"tenant_id\":\"%s\",\"auth\":true}"
                            .formatted(tenant, tenant));
        }
    }

    private static String key(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        return header == null ? "" : header.substring("Bearer ".length());
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
