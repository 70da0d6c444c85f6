package io.gpusched.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.gateway.proxy.ProxyLimits;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.stream.IntStream;

/// Clients that send too much, too slowly, several requests at once or no HTTP at all.
final class ClientTest {
    private static final String PATH = "/pools/chat/v1/chat/completions";

    @SuppressWarnings("NullAway.Init")
    private GatewayScene scene;

    @BeforeEach
    void open() throws IOException {
        scene = new GatewayScene();
    }

    @AfterEach
    void close() throws IOException {
        scene.close();
    }

    @Test
    void requestsOfOneConnectionAreAnsweredInTurn() throws Exception {
        scene.replica("job-1").script(exchange -> exchange.json(200, exchange.body()));
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            for (int i = 0; i < 50; i++) {
                client.post(PATH, "{\"n\":\"<" + i + ">\"}");
            }
            client.readUntil("<49>");
        }
        assertThat(scene.replicaAt(0).requests())
                .extracting(ScriptedReplica.Exchange::body)
                .containsExactlyElementsOf(
                        IntStream.range(0, 50).mapToObj(i -> "{\"n\":\"<" + i + ">\"}").toList());
    }

    @Test
    void aClientThatAsksFirstIsToldToContinue() throws Exception {
        scene.replica("job-1");
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.write(
                    "POST "
                            + PATH
                            + " HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n"
                            + "content-length: 2\r\nconnection: close\r\n\r\n");
            client.readUntil("100 Continue");
            client.write("{}");
            assertThat(client.readAll()).contains("200 OK").contains("[DONE]");
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        scene.start();
        assertThat(scene.ask(PATH, "x".repeat(64 * 1024 + 1)).get().statusCode()).isEqualTo(413);
    }

    /// A connection that is closed while bytes arrive is reset, and then the answer is lost.
    @Test
    void aClientThatSendsOnSeesWhyItsBodyIsRefused() throws Exception {
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.write(
                    "POST " + PATH + " HTTP/1.1\r\nhost: x\r\ncontent-length: 8000000\r\n\r\n");
            GatewayScene.until("it is refused", client::hasAnswer);
            for (int i = 0; i < 80; i++) {
                client.write("y".repeat(100_000));
            }
            assertThat(client.readAll()).startsWith("HTTP/1.1 413").contains("larger than 65536");
        }
    }

    @Test
    void pathsThatAReplicaCouldReadOtherwiseAreRefused() throws Exception {
        ScriptedReplica replica = scene.replica("job-1");
        scene.start();
        for (String path :
                new String[] {
                    "/pools/chat/v1/../metrics",
                    "/pools/chat/v1/%2e%2e/metrics",
                    "/pools/chat/v1//x",
                    "/pools/chat/metrics",
                    "/pools/nothing/v1/x",
                    "/other"
                }) {
            try (var client = new RawClient(scene.gateway().port())) {
                client.write("GET " + path + " HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
                assertThat(client.readAll()).startsWith("HTTP/1.1 404");
            }
        }
        assertThat(replica.requests()).isEmpty();
    }

    @Test
    void aBodyInAnotherEncodingReachesTheReplicaAsItIs() throws Exception {
        ScriptedReplica replica = scene.replica("job-1");
        scene.scheduler.key("k", "acme");
        scene.start();
        String body =
                new String(
                        GatewayScene.CHAT.getBytes(StandardCharsets.UTF_16LE),
                        StandardCharsets.ISO_8859_1);
        try (var client = new RawClient(scene.gateway().port())) {
            client.write(
                    "POST %s HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-length: %s\r\n\r\n%s"
                            .formatted(PATH, body.length(), body));
            client.readUntil("[DONE]");
        }
        assertThat(replica.requests().getFirst().body())
                .isEqualTo(
                        new String(
                                GatewayScene.CHAT.getBytes(StandardCharsets.UTF_16LE),
                                StandardCharsets.UTF_8));
    }

    @Test
    void whatIsNoHttpIsRefused() throws Exception {
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.write("\u0016\u0003\u0001 hello\r\n\r\n");
            assertThat(client.readAll()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void aRequestThatDoesNotArriveIsGivenUp() throws Exception {
        scene.start(
                settings ->
                        GatewayScene.with(
                                settings,
                                clientPatience(settings.limits(), Duration.ofMillis(200))));
        try (var client = new RawClient(scene.gateway().port())) {
            client.write("POST " + PATH + " HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
            assertThat(client.readAll()).startsWith("HTTP/1.1 408");
        }
    }

    private static ProxyLimits clientPatience(ProxyLimits limits, Duration patience) {
        return new ProxyLimits(
                limits.bodyBytes(),
                limits.bufferedBytes(),
                limits.connections(),
                limits.heldRequests(),
                limits.hold(),
                limits.replicaRequests(),
                limits.retries(),
                new ProxyLimits.Timeouts(
                        GatewayScene.PATIENCE,
                        GatewayScene.PATIENCE,
                        GatewayScene.PATIENCE,
                        patience,
                        GatewayScene.PATIENCE));
    }

    @Test
    void moreClientsThanAllowedWaitForTheirTurn() throws Exception {
        scene.start(
                settings -> {
                    ProxyLimits limits = settings.limits();
                    return GatewayScene.with(
                            settings,
                            new ProxyLimits(
                                    limits.bodyBytes(),
                                    limits.bufferedBytes(),
                                    1,
                                    limits.heldRequests(),
                                    limits.hold(),
                                    limits.replicaRequests(),
                                    limits.retries(),
                                    limits.timeouts()));
                });
        var second = new RawClient(scene.gateway().port());
        second.write("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
        second.readUntil("200 OK");
        try (var third = new RawClient(scene.gateway().port())) {
            third.write("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
            second.close();
            third.readUntil("200 OK");
        }
    }

    @Test
    void largeBodiesOfAllRequestsTogetherAreBounded() throws Exception {
        scene.start();
        String body = "{\"x\":\"" + "y".repeat(60_000) + "\"}";
        try (var client = new RawClient(scene.gateway().port())) {
            var others = new ArrayList<RawClient>();
            for (int i = 0; i < 17; i++) {
                var other = new RawClient(scene.gateway().port());
                others.add(other);
                other.post(PATH, body);
            }
            GatewayScene.until(
                    "seventeen wait",
                    () -> scene.text("/metrics").contains("agent_queue_depth{pool=\"chat\"} 17\n"));
            client.post(PATH, body);
            client.readUntil("503 Service Unavailable");
            for (RawClient other : others) {
                other.close();
            }
        }
    }

    @Test
    void bodiesThatStillArriveAreBoundedAsWell() throws Exception {
        scene.replica("job-1");
        scene.start();
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < 18; i++) {
            var client = new RawClient(scene.gateway().port());
            clients.add(client);
            client.write("POST " + PATH + " HTTP/1.1\r\nhost: x\r\ncontent-length: 60001\r\n\r\n");
            client.write("y".repeat(60_000));
        }
        GatewayScene.until("one is refused", () -> clients.stream().anyMatch(RawClient::hasAnswer));
        for (RawClient client : clients) {
            if (client.hasAnswer()) {
                client.readUntil("503 Service Unavailable");
            }
            client.close();
        }
        GatewayScene.until(
                "they are gone", () -> scene.text("/metrics").contains("gateway_connections 1\n"));
        assertThat(scene.ask(PATH, "{\"x\":\"" + "y".repeat(60_000) + "\"}").get().statusCode())
                .as("their bytes no longer count")
                .isEqualTo(200);
    }

    @Test
    void aClientWithoutAKeyIsRefusedBeforeItSendsItsBody() throws Exception {
        scene.scheduler.key("k", "acme");
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.write("POST " + PATH + " HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n");
            assertThat(client.readAll()).startsWith("HTTP/1.1 401").contains("connection: close");
        }
    }
}
