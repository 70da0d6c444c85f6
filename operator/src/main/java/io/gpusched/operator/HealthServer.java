package io.gpusched.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Serves `/healthz` (restart me), `/readyz` (not yet) and `/metrics` for probes and Prometheus.
final class HealthServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;

    /// Each text says what is wrong; empty for nothing.
    ///
    /// @param broken what only a restart repairs
    /// @param waiting what must happen before the operator works
    /// @param metrics in the text format of Prometheus
    record Sources(Supplier<String> broken, Supplier<String> waiting, Supplier<String> metrics) {}

    HealthServer(int port, Sources sources) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/healthz", exchange -> probe(exchange, sources.broken.get()));
        server.createContext(
                "/readyz",
                exchange -> {
                    String broken = sources.broken.get();
                    probe(exchange, broken.isEmpty() ? sources.waiting.get() : broken);
                });
        server.createContext(
                "/metrics",
                exchange ->
                        answer(exchange, OK, "text/plain; version=0.0.4", sources.metrics.get()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void probe(HttpExchange exchange, String problem) throws IOException {
        answer(
                exchange,
                problem.isEmpty() ? OK : UNAVAILABLE,
                "text/plain",
                (problem.isEmpty() ? "ok" : problem) + "\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
