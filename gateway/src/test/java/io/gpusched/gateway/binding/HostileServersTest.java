package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.gateway.scheduler.SchedulerClient;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Servers that hang, send garbage, end the connection, or never end their answer: every binding
/// becomes degraded within its timeout, and nothing is reported.
final class HostileServersTest {
    private static final Pace IMPATIENT =
            new Pace(
                    Duration.ofMillis(10),
                    Duration.ofMillis(700),
                    Duration.ofMillis(10),
                    Duration.ofMillis(50),
                    Duration.ofMillis(50));

    private static final String NONE = "{\"bindings\":[]}";

    /// What a server does with every connection.
    private interface Behaviour {
        void serve(Socket socket, CountDownLatch over) throws IOException, InterruptedException;
    }

    private static final List<Behaviour> BEHAVIOURS =
            List.of(
                    (socket, over) -> over.await(),
                    (socket, over) -> {
                        var garbage = "\0\u0001garbage canary\r\n\r\n{[\"$:*".repeat(100);
                        socket.getOutputStream().write(garbage.getBytes(StandardCharsets.UTF_8));
                        over.await();
                    },
                    (socket, over) -> socket.close(),
                    HostileServersTest::drip);

    private static void drip(Socket socket, CountDownLatch over)
            throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        do {
            out.write(' ');
        } while (!over.await(20, TimeUnit.MILLISECONDS));
    }

    @Test
    void everyBindingOfAHostileServerIsDegraded() throws Exception {
        var over = new CountDownLatch(1);
        var bindings = new ArrayList<String>();
        for (int i = 0; i < BEHAVIOURS.size(); i++) {
            int port = serve(BEHAVIOURS.get(i), over);
            for (Provider provider : Provider.values()) {
                bindings.add(binding(provider, i, port));
            }
        }
        String list = "{\"bindings\":[" + String.join(",", bindings) + "]}";
        try (var outputs = new Outputs();
                var scheduler =
                        new ScriptedHttp(
                                request ->
                                        new ScriptedHttp.Answer(
                                                200,
                                                request.path().endsWith("offset=0")
                                                        ? list
                                                        : NONE));
                var client = new SchedulerClient(scheduler.uri(), "", null);
                var reader = new BindingReader(client, IMPATIENT).start()) {
            while (failed(reader) < bindings.size()) {
                assertThat(scheduler.take().path()).startsWith("/api/v1/bindings");
            }
            assertThat(reader.metrics())
                    .doesNotContainPattern("gateway_binding_up\\{.*} 1")
                    .doesNotContainPattern("gateway_binding_queue_depth\\{.*} [1-9]");
            assertThat(outputs.text()).contains("is degraded").doesNotContain("canary");
        } finally {
            over.countDown();
        }
    }

    private static long failed(BindingReader reader) {
        return reader.metrics()
                .lines()
                .filter(line -> line.matches("gateway_binding_failures_total\\{.*} [1-9].*"))
                .count();
    }

    private static String binding(Provider provider, int behaviour, int port) {
        String scheme =
                switch (provider) {
                    case REDIS -> "redis";
                    case RABBITMQ -> "amqp";
                    case NATS -> "nats";
                    case KAFKA -> "kafka";
                    case SQS, PROMETHEUS -> "http";
                };
        return String.format(
                Locale.ROOT,
                """
                {"name":"%1$s-%2$d","pool":"chat","provider":"%1$s","queue":"q","group":"%3$s",
                 "connection":"%4$s://reader:canary@127.0.0.1:%5$d?region=r"}
                """,
                provider,
                behaviour,
                provider == Provider.REDIS ? "" : "g",
                scheme,
                port);
    }

    private static int serve(Behaviour behaviour, CountDownLatch over) {
        try {
            var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(() -> accept(server, behaviour, over));
            return server.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void accept(ServerSocket server, Behaviour behaviour, CountDownLatch over) {
        try (server) {
            while (over.getCount() > 0) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> talk(socket, behaviour, over));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void talk(Socket socket, Behaviour behaviour, CountDownLatch over) {
        try (socket) {
            behaviour.serve(socket, over);
        } catch (IOException | InterruptedException e) {
            // The client has gone.
        }
    }
}
