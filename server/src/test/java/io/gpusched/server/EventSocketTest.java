package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Live events over a WebSocket, with the client of the JDK and with raw bytes.
@Timeout(120)
final class EventSocketTest {
    private static final Map<String, String> AUTH = Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Running> open = new ArrayList<>();

    @AfterEach
    void close() {
        client.shutdownNow();
        open.forEach(Running::close);
    }

    private Running start(Map<String, String> settings) {
        Running rest = Running.in(folder, settings);
        open.add(rest);
        return rest;
    }

    /// What a client received.
    private static final class Received implements WebSocket.Listener {
        final List<JsonNode> messages = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();
        volatile int code;
        final AtomicInteger pongs = new AtomicInteger();
        volatile String reason = "";

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                try {
                    messages.add(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
            pongs.incrementAndGet();
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String why) {
            reason = why;
            code = status;
            return null;
        }

        void await(String kind) {
            Soon.that(
                    kind + " in " + messages,
                    () -> messages.stream().anyMatch(one -> one.get("kind").asText().equals(kind)));
        }

        void awaitClose(int status) {
            Soon.that("the connection is closed", () -> code != 0);
            assertThat(code).as(reason).isEqualTo(status);
        }
    }

    private WebSocket connect(
            Running rest, String query, Received received, Map<String, String> headers) {
        var uri = URI.create(rest.server().url().replace("http", "ws") + "/ws" + query);
        var builder = client.newWebSocketBuilder();
        headers.forEach(builder::header);
        return builder.buildAsync(uri, received).join();
    }

    private static Map<String, String> bearer(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    private static void awaitListeners(Running rest, int count) {
        Soon.that(
                count + " listeners",
                () ->
                        rest.get("/metrics")
                                .text()
                                .contains("gpu_scheduler_event_listeners " + count + ".0"));
    }

    private static String member(Running rest, String tenant) {
        rest.asAdmin()
                .post(
                        "/api/v1/tenants",
                        "{\"id\":\"%s\",\"name\":\"%s\"}".formatted(tenant, tenant));
        return rest.post("/api/v1/tenants/" + tenant + "/tokens", "").field("token");
    }

    @Test
    void eventsArriveAfterTheFirstFrameAndAPingIsAnswered() {
        Running rest = start(Map.of());
        var received = new Received();
        WebSocket socket = connect(rest, "", received, Map.of());
        socket.sendText("{\"kind\":\"submitted,cancelled\"}", true).join();
        awaitListeners(rest, 1);
        String job = rest.submit("{}");
        rest.delete("/api/v1/jobs/" + job);
        received.await("cancelled");
        assertThat(received.messages.getFirst().get("job_id").asText()).isEqualTo(job);
        assertThat(received.messages.getFirst().get("id").asText()).matches("[0-9]+-[0-9]+");

        var resumed = new Received();
        connect(rest, "", resumed, Map.of())
                .sendText(
                        "{\"last_event_id\":\"%s\",\"job\":\"%s\"}"
                                .formatted(received.messages.getFirst().get("id").asText(), job),
                        true)
                .join();
        resumed.await("cancelled");
        assertThat(resumed.messages).hasSize(1);

        socket.sendClose(1000, "enough").join();
        received.awaitClose(1000);
    }

    @Test
    void aTokenMayComeInTheHeaderOrInTheFirstFrame() {
        Running rest = start(AUTH).asAdmin();
        String token = member(rest, "mine");
        member(rest, "others");
        var byHeader = new Received();
        connect(rest, "?kind=submitted", byHeader, bearer(token));
        var byFrame = new Received();
        connect(rest, "?kind=submitted", byFrame, Map.of())
                .sendText("{\"token\":\"" + token + "\"}", true)
                .join();
        awaitListeners(rest.asAdmin(), 2);
        rest.submit("{\"tenant_id\":\"others\"}");
        String own = rest.submit("{\"tenant_id\":\"mine\"}");
        for (Received one : List.of(byHeader, byFrame)) {
            one.await("submitted");
            assertThat(one.messages).hasSize(1);
            assertThat(one.messages.getFirst().get("job_id").asText()).isEqualTo(own);
        }
        rest.delete("/api/v1/tenants/mine/tokens/" + token.substring(0, token.indexOf('.')));
        for (Received one : List.of(byHeader, byFrame)) {
            one.awaitClose(1008);
            assertThat(one.reason).isEqualTo("this token has been revoked");
            assertThat(one.messages.getLast().get("kind").asText()).isEqualTo("closed");
            assertThat(one.messages.getLast().get("code").asText()).isEqualTo("revoked");
        }
    }

    @Test
    void pingsBeforeTheFirstFrameAreAnsweredAtOnce() {
        Running rest = start(AUTH).asAdmin();
        String token = member(rest, "mine");
        var received = new Received();
        WebSocket socket = connect(rest, "", received, Map.of());
        for (int i = 0; i < 20; i++) {
            socket.sendPing(ByteBuffer.allocate(125)).join();
        }
        Soon.that("20 pongs", () -> received.pongs.get() == 20);
        socket.sendText("{\"token\":\"" + token + "\"}", true).join();
        awaitListeners(rest.asAdmin(), 1);
        for (int i = 0; i < 100; i++) {
            socket.sendPing(ByteBuffer.allocate(1)).join();
        }
        Soon.that("120 pongs", () -> received.pongs.get() == 120);
        assertThat(received.code).isZero();
    }

    @Test
    void aClientThatIsNotAdmittedIsToldWhy() {
        Running rest = start(AUTH).asAdmin();
        String token = member(rest, "mine");
        assertThatThrownBy(() -> connect(rest, "", new Received(), bearer("tok-1.x")))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(WebSocketHandshakeException.class)
                .satisfies(e -> assertThat(status(e)).isEqualTo(401));
        for (String query : List.of("?kind=x", "?kinds=running")) {
            assertThatThrownBy(() -> connect(rest, query, new Received(), bearer(token)))
                    .satisfies(e -> assertThat(status(e)).isEqualTo(400));
        }
        assertThatThrownBy(
                        () ->
                                connect(
                                        rest,
                                        "",
                                        new Received(),
                                        Map.of("Origin", "http://evil.example")))
                .satisfies(e -> assertThat(status(e)).isEqualTo(403));
        refused(rest, "{\"token\":\"tok-1.x\"}", "this request needs a valid token");
        refused(rest, "{\"token\":7}", "token is 7");
        refused(rest, "{\"tokens\":\"x\"}", "unknown field \"tokens\"");
        refused(rest, "not JSON", "the first frame");
        refused(
                rest,
                "{\"token\":\"" + token + "\",\"tenant\":\"others\"}",
                "there is no tenant others");
        var silent = new Received();
        connect(rest, "", silent, Map.of());
        silent.awaitClose(1008);
        assertThat(rest.get("/ws").status()).isEqualTo(400);
        assertThat(rest.get("/ws").field("error")).contains("WebSocket");
    }

    private void refused(Running rest, String frame, String why) {
        var received = new Received();
        connect(rest, "", received, Map.of()).sendText(frame, true).join();
        received.awaitClose(1008);
        assertThat(received.messages.getLast().get("reason").asText()).contains(why);
        assertThat(received.messages.getLast().get("code").asText()).isEqualTo("refused");
    }

    private static int status(Throwable failure) {
        return failure.getCause() instanceof WebSocketHandshakeException handshake
                ? handshake.getResponse().statusCode()
                : 0;
    }

    @Test
    void aFrameThatIsTooLargeEndsTheConnection() {
        Running rest = start(Map.of());
        var received = new Received();
        connect(rest, "", received, Map.of()).sendText("x".repeat(8193), true).join();
        received.awaitClose(1009);
    }

    @Test
    void anUnmaskedFrameEndsTheConnection() {
        Running rest = start(Map.of());
        byte[] request =
                """
                GET /ws HTTP/1.1\r
                Host: 127.0.0.1\r
                Connection: keep-alive, Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                \r
                \u0001\u0001x\
                """
                        .getBytes(StandardCharsets.ISO_8859_1);
        request[request.length - 3] = (byte) 0x81;
        String answer = Raw.send(rest.server(), request);
        assertThat(Raw.status(answer)).isEqualTo(101);
        assertThat(answer)
                .contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                .contains("a frame of a client must be masked");
    }

    @Test
    void aServerThatStopsClosesItsSockets() {
        Running rest = start(Map.of());
        var received = new Received();
        connect(rest, "", received, Map.of()).sendText("{}", true).join();
        awaitListeners(rest, 1);
        rest.server().close();
        received.awaitClose(1001);
        assertThat(received.messages.getLast().get("reason").asText())
                .isEqualTo("the server is shutting down");
        assertThat(received.messages.getLast().get("code").asText()).isEqualTo("stopping");
    }
}
