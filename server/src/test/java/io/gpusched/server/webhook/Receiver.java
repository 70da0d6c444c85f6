package io.gpusched.server.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// An HTTP server that receives messages and answers as the test says; 200 when it says nothing.
final class Receiver implements AutoCloseable {
    record Received(String signature, String delivery, String body) {}

    final List<Received> received = new CopyOnWriteArrayList<>();
    private final Deque<Integer> answers = new ArrayDeque<>();
    private final HttpServer server;
    private boolean endless;

    Receiver(Integer... answers) {
        this.answers.addAll(List.of(answers));
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        var headers = exchange.getRequestHeaders();
        received.add(
                new Received(
                        String.valueOf(headers.getFirst("X-Gpu-Scheduler-Signature")),
                        String.valueOf(headers.getFirst("X-Gpu-Scheduler-Delivery")),
                        new String(body, StandardCharsets.UTF_8)));
        if (endless) {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().flush();
            return;
        }
        Integer status = answers.poll();
        if (status != null && status / 100 == 3) {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
        }
        exchange.sendResponseHeaders(status == null ? 200 : status, -1);
        exchange.close();
    }

    /// From now on sends the headers of its answers and never the body.
    synchronized Receiver endless() {
        endless = true;
        return this;
    }

    URI url() {
        return URI.create(
                "http://127.0.0.1:" + server.getAddress().getPort() + "/hook/s3cret-path");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
