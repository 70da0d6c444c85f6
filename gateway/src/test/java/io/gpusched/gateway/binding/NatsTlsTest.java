package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A NATS server whose trusted certificate names `localhost` and nothing else.
final class NatsTlsTest {
    private static final Path PROGRAM = Path.of("/usr/sbin/nats-server");

    private static ServerProcess server;
    private static TestCertificate certificate;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        ServerProcess.need(PROGRAM, "nats-server");
        Path folder = ServerProcess.folder("nats-tls");
        port = ServerProcess.freePort();
        certificate = TestCertificate.of(folder, "dns:localhost");
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
                                "--tls",
                                "--tlscert",
                                certificate.certificate().toString(),
                                "--tlskey",
                                certificate.key().toString()));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static long depth(String host) throws LagProblem, InterruptedException {
        String url = "tls://" + host + ":" + port;
        Binding binding = Readings.binding("nats", url, "NONE", "workers");
        try (QueueLag lag =
                NatsLag.open(binding, ConnectionAddress.parse(url), certificate.trust())) {
            return lag.depth();
        }
    }

    @Test
    void aServerWithItsNameInTheCertificateIsRead() {
        assertThatThrownBy(() -> depth("localhost"))
                .hasMessageContaining("no such stream or consumer");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        assertThatThrownBy(() -> depth("127.0.0.1")).hasMessageContaining("names the host");
    }
}
