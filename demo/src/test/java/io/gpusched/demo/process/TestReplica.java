package io.gpusched.demo.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// A small OpenAI-compatible program that a pool runs as its replicas. It uses nothing but the JDK,
/// so that a task can start it from the compiled tests. It has loaded its model when the file that
/// its argument names exists. An answer to a prompt with `slowly` stops after its first tokens
/// until somebody posts to `/finish`.
final class TestReplica {
    static final String FINISH = "/finish";

    private static final int TOKENS = 6;
    private static final int BEFORE_PAUSE = 2;

    private final Path loaded;
    private final CountDownLatch finish = new CountDownLatch(1);

    private TestReplica(Path loaded) {
        this.loaded = loaded;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv("GPU_SCHEDULER_PORT"));
        var replica = new TestReplica(Path.of(arguments[0]));
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/health", replica::health);
        server.createContext("/v1/chat/completions", replica::chat);
        server.createContext(FINISH, replica::finish);
        server.start();
    }

    /// The events of a complete answer.
    static String answer() {
        var all = new StringBuilder();
        for (int i = 0; i < TOKENS; i++) {
            all.append(token(i));
        }
        return all.append(end()).toString();
    }

    private static String token(int number) {
        return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word%d \"}}]}\n\n"
                .formatted(number);
    }

    private static String end() {
        return "data: [DONE]\n\n";
    }

    private void health(HttpExchange exchange) throws IOException {
        answer(exchange, Files.exists(loaded) ? 200 : 503);
    }

    private void finish(HttpExchange exchange) throws IOException {
        finish.countDown();
        answer(exchange, 200);
    }

    private void chat(HttpExchange exchange) throws IOException {
        String request =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean pauses = request.contains("slowly");
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 0; i < TOKENS; i++) {
                if (pauses && i == BEFORE_PAUSE) {
                    finish.await();
                }
                send(out, token(i));
            }
            send(out, end());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
