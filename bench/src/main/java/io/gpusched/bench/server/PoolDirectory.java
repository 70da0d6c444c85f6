package io.gpusched.bench.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// As much of a scheduler as a gateway needs: it names the replicas of one pool, and takes reports.
final class PoolDirectory implements AutoCloseable {
    /// @param state ready or draining
    private record Member(String state, InetSocketAddress address) {}

    private final HttpServer http;
    private final Map<String, Member> members = new TreeMap<>();
    private volatile String lastReport = "";

    PoolDirectory() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/api/v1/pools", this::answer);
        http.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    synchronized void put(String job, String state, InetSocketAddress address) {
        members.put(job, new Member(state, address));
    }

    synchronized void remove(String job) {
        members.remove(job);
    }

    /// Whether the last report says that the replica has no request and gets none.
    boolean isDrained(String job) {
        return lastReport.contains(
                "{\"job_id\":\"" + job + "\",\"ready\":false,\"running\":0,\"waiting\":0,");
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        boolean report = exchange.getRequestURI().getPath().endsWith("/load");
        if (report) {
            lastReport = new String(body, StandardCharsets.UTF_8);
        }
        byte[] bytes = (report ? "{}" : list()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(report ? 202 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private synchronized String list() {
        var replicas = new StringBuilder();
        members.forEach(
                (job, member) ->
                        replicas.append(replicas.isEmpty() ? "" : ",")
                                .append(
                                        """
                                        {"job_id":"%s","state":"%s","address":"127.0.0.1:%s"}\
                                        """
                                                .formatted(
                                                        job,
                                                        member.state,
                                                        member.address.getPort())));
        return """
        {"pools":[{"name":"chat","tenant_id":"bench","model":"chat","slo":{"ttft_ms":1000},
        "serving":{"health_path":"/health","metrics_path":""},"status":{"replicas":[%s]}}],"total":1}
        """
                .formatted(replicas);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
