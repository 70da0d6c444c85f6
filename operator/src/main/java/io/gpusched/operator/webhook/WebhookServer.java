package io.gpusched.operator.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Serves `POST /mutate` for the API server over TLS, and `/healthz` and `/readyz` for probes.
/// `/readyz` always answers 200, because the webhook lets pods pass while the scheduler is away;
/// its text says which of both is the case.
final class WebhookServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int WRONG_METHOD = 405;
    private static final int TOO_LARGE = 413;

    /// An API server takes objects of at most 1.5 MiB, and a review may have two.
    private static final int MOST_BYTES = 4 << 20;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AdmissionReviews reviews;

    WebhookServer(int port, ServedKeys keys, AdmissionReviews reviews, GpuScorer scorer)
            throws IOException {
        this.reviews = reviews;
        this.server = HttpsServer.create(new InetSocketAddress(port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(keys.context()));
        server.setExecutor(threads);
        server.createContext("/mutate", closing(this::mutate));
        server.createContext("/healthz", closing(exchange -> answer(exchange, OK, "ok\n")));
        server.createContext(
                "/readyz",
                closing(
                        exchange ->
                                answer(
                                        exchange,
                                        OK,
                                        scorer.isConnected() ? "connected\n" : "disconnected\n")));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static HttpHandler closing(HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        };
    }

    private void mutate(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, WRONG_METHOD, "expected POST\n");
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (body.length > MOST_BYTES) {
            answer(exchange, TOO_LARGE, "expected at most " + MOST_BYTES + " bytes\n");
            return;
        }
        try {
            byte[] review = reviews.answer(body);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(OK, review.length);
            exchange.getResponseBody().write(review);
        } catch (JsonProcessingException e) {
            answer(exchange, BAD_REQUEST, "expected an AdmissionReview as JSON\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
