package io.gpusched.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// A fake server on loopback with answers given by the test; it records requests.
///
/// Answers are given per `METHOD /path` (without the query). Several answers for one path are used
/// in order, the last one repeatedly.
public final class Stand implements AutoCloseable {
    /// A request. Header names are in lower case.
    public record ReceivedRequest(
            String method, String path, String query, Map<String, String> headers, String body) {
        public String line() {
            return method + " " + path + (query.isEmpty() ? "" : "?" + query);
        }
    }

    /// An answer.
    public record CannedResponse(int status, String type, String body, String nextOffset) {
        public CannedResponse(int status, String type, String body) {
            this(status, type, body, "");
        }
    }

    private final HttpServer server;
    private final Map<String, Deque<CannedResponse>> replies = new ConcurrentHashMap<>();
    private volatile CannedResponse otherwise =
            new CannedResponse(404, "application/json", "{\"error\":\"no such route\"}");
    private final List<ReceivedRequest> asked = Collections.synchronizedList(new ArrayList<>());

    public Stand() {
        this(plain());
    }

    public Stand(HttpServer server) {
        this.server = server;
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public Stand says(String request, String json) {
        return says(request, 200, json);
    }

    public Stand says(String request, int status, String json) {
        return says(request, new CannedResponse(status, "application/json", json));
    }

    public Stand says(String request, CannedResponse reply) {
        replies.computeIfAbsent(request, _ -> new ArrayDeque<>()).add(reply);
        return this;
    }

    /// The answer to every request that has none of its own.
    public Stand otherwise(int status, String json) {
        otherwise = new CannedResponse(status, "application/json", json);
        return this;
    }

    public List<ReceivedRequest> asked() {
        return List.copyOf(asked);
    }

    /// The only request there was.
    public ReceivedRequest onlyAsked() {
        if (asked.size() != 1) {
            throw new AssertionError("expected one request, found " + asked);
        }
        return asked.getFirst();
    }

    public List<String> lines() {
        return asked().stream().map(ReceivedRequest::line).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = new TreeMap<String, String>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(lower(name), values.getFirst()));
            String query = exchange.getRequestURI().getRawQuery();
            var request =
                    new ReceivedRequest(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().getRawPath(),
                            query == null ? "" : query,
                            headers,
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
            asked.add(request);
            send(exchange, reply(request.method() + " " + request.path()));
        }
    }

    private synchronized CannedResponse reply(String request) {
        Deque<CannedResponse> waiting = replies.getOrDefault(request, new ArrayDeque<>());
        if (waiting.isEmpty()) {
            return otherwise;
        }
        return waiting.size() > 1 ? waiting.remove() : waiting.element();
    }

    private static void send(HttpExchange exchange, CannedResponse reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", reply.type());
        exchange.getResponseHeaders().set("Location", "https://elsewhere:8443");
        if (!reply.nextOffset().isEmpty()) {
            exchange.getResponseHeaders().set("X-Log-Next-Offset", reply.nextOffset());
        }
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static HttpServer plain() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
