package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Against a server of Debian's package `nats-server`.
final class NatsLagTest {
    private static final Path PROGRAM = Path.of("/usr/sbin/nats-server");

    private static ServerProcess server;
    private static int port;

    @BeforeAll
    static void start() {
        ServerProcess.need(PROGRAM, "nats-server");
        Path folder = ServerProcess.folder("nats");
        port = ServerProcess.freePort();
        server =
                ServerProcess.start(
                        folder,
                        port,
                        Map.of(),
                        List.of(
                                PROGRAM.toString(),
                                "-a",
                                "127.0.0.1",
                                "-p",
                                String.valueOf(port),
                                "-js",
                                "-sd",
                                folder.toString(),
                                "--user",
                                "reader",
                                "--pass",
                                "secret"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Binding stream(String name, String consumer, String password) {
        String url = "nats://reader:" + password + "@127.0.0.1:" + port;
        return binding("nats", url, name, consumer);
    }

    @Test
    void theDepthIsWhatTheConsumerHasNotAcknowledged() throws Exception {
        Options options =
                new Options.Builder()
                        .server("nats://127.0.0.1:" + port)
                        .userInfo("reader".toCharArray(), "secret".toCharArray())
                        .build();
        Connection connection = Nats.connect(options);
        try {
            prepare(connection);
            JetStream jetStream = connection.jetStream();
            Binding orders = stream("ORDERS", "workers", "secret");
            assertThat(depth(orders)).isZero();
            for (int i = 0; i < 6; i++) {
                jetStream.publish("orders.new", new byte[10]);
            }
            assertThat(depth(orders)).isEqualTo(6);
            JetStreamSubscription subscription =
                    jetStream.subscribe("orders.*", PullSubscribeOptions.bind("ORDERS", "workers"));
            List<Message> messages = subscription.fetch(2, Duration.ofSeconds(60));
            assertThat(messages).hasSize(2);
            assertThat(depth(orders)).as("two delivered, not acknowledged").isEqualTo(6);
            messages.getFirst().ackSync(Duration.ofSeconds(60));
            assertThat(depth(orders)).isEqualTo(5);
        } finally {
            connection.close();
        }
    }

    private static void prepare(Connection connection) throws Exception {
        connection
                .jetStreamManagement()
                .addStream(
                        StreamConfiguration.builder()
                                .name("ORDERS")
                                .subjects("orders.*")
                                .storageType(StorageType.Memory)
                                .build());
        connection
                .jetStreamManagement()
                .addOrUpdateConsumer(
                        "ORDERS",
                        ConsumerConfiguration.builder()
                                .durable("workers")
                                .filterSubject("orders.*")
                                .ackPolicy(AckPolicy.Explicit)
                                .build());
    }

    @Test
    void wrongCredentialsStreamsAndServersAreNamed() {
        assertProblem(stream("ORDERS", "workers", "canary-3"), "refused the credentials");
        assertProblem(stream("NONE", "workers", "secret"), "no such stream or consumer");
        assertProblem(stream("ORDERS", "none", "secret"), "no such stream or consumer");
        assertProblem(stream("ORDERS", "", "secret"), "group is empty");
        assertProblem(stream("OR.DERS", "workers", "secret"), "not a name that NATS accepts");
        assertProblem(
                binding("nats", "nats://127.0.0.1:" + ServerProcess.freePort(), "A", "b"),
                "no NATS server can be reached");
        assertProblem(binding("nats", "amqp://127.0.0.1", "A", "b"), "nats:// or tls://");
    }
}
