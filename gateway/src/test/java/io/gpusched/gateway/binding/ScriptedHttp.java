package io.gpusched.gateway.binding;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/// An HTTP server whose answers a test writes.
final class ScriptedHttp implements AutoCloseable {
    /// @param path with its query
    record Request(String method, String path, Headers headers, String body) {}

    /// The headers of a request.
    record Headers(com.sun.net.httpserver.Headers all) {
        String get(String name) {
            return String.join(",", all.getOrDefault(name, List.of()));
        }
    }

    record Answer(int status, String body) {}

    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final AtomicReference<Function<Request, Answer>> script;
    private final HttpServer server;

    ScriptedHttp(Function<Request, Answer> script) {
        this.script = new AtomicReference<>(script);
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    static ScriptedHttp of(int status, String body) {
        return new ScriptedHttp(request -> new Answer(status, body));
    }

    void answer(int status, String body) {
        script.set(request -> new Answer(status, body));
    }

    /// The next request, which may have come already.
    Request take() throws InterruptedException {
        return requests.take();
    }

    int port() {
        return server.getAddress().getPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request =
                    new Request(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            new Headers(exchange.getRequestHeaders()),
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
            requests.add(request);
            Answer answer = script.get().apply(request);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
