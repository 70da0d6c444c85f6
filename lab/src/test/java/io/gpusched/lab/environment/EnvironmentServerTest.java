package io.gpusched.lab.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

@Timeout(120)
final class EnvironmentServerTest {
    private static final String RESET = "{\"reset\":{\"seed\":7}}";
    private static final String STEP = "{\"step\":{\"action\":1}}";

    private EnvironmentServer server;

    @BeforeEach
    void start() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = new EnvironmentServer(address, EnvironmentParameters.USUAL);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// One connection.
    private final class Client implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        private final BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));

        Client() throws IOException {}

        String ask(String line) throws IOException {
            send((line + "\n").getBytes(StandardCharsets.UTF_8));
            return String.valueOf(lines.readLine());
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void everyClientHasItsOwnEnvironment() throws IOException {
        try (var first = new Client();
                var second = new Client()) {
            String begun = first.ask(RESET);
            String next = first.ask(STEP);
            assertThat(second.ask(STEP)).contains("send reset first");
            assertThat(second.ask(RESET)).isEqualTo(begun);
            assertThat(second.ask(STEP)).isEqualTo(next);
            assertThat(first.ask(RESET)).isEqualTo(begun);
        }
    }

    @Test
    void badInputIsAnsweredAndTheConnectionGoesOn() throws IOException {
        try (var client = new Client()) {
            client.send(new byte[] {(byte) 0xff, 0, 1, (byte) 0xc3, '\n'});
            assertThat(client.lines.readLine()).startsWith("{\"error\":{\"field\":\"\"");
            assertThat(client.ask("\n\r")).startsWith("{\"error\":");
            assertThat(client.ask("[".repeat(1000))).startsWith("{\"error\":");
            assertThat(client.ask(RESET)).startsWith("{\"observation\":[");
        }
    }

    @Test
    void aLineThatNeverEndsIsRefused() throws IOException {
        try (var client = new Client()) {
            client.send(new byte[EnvironmentSession.LONGEST + 1]);
            assertThat(client.lines.readLine()).contains("expected at most 1048576 bytes");
        }
        try (var client = new Client()) {
            assertThat(client.ask(RESET)).startsWith("{\"observation\":[");
        }
    }

    @Test
    void aClientThatVanishesDisturbsNoOther() throws IOException {
        try (var stays = new Client()) {
            stays.ask(RESET);
            for (int i = 0; i < 100; i++) {
                try (var leaves = new Client()) {
                    leaves.send("{\"reset\":{\"se".getBytes(StandardCharsets.UTF_8));
                }
            }
            assertThat(stays.ask(STEP)).startsWith("{\"observation\":[");
        }
    }

    @Test
    void closeEndsTheConnection() throws IOException {
        try (var client = new Client()) {
            assertThat(client.ask("{\"close\":{}}")).isEqualTo("{\"closed\":{}}");
            assertThat(client.lines.readLine()).isNull();
        }
    }

    @Test
    void tooManyClientsAreTurnedAway() throws IOException {
        List<Client> all = new ArrayList<>();
        try {
            for (int i = 0; i < EnvironmentServer.MOST_CLIENTS; i++) {
                var client = new Client();
                all.add(client);
                assertThat(client.ask(RESET)).startsWith("{\"observation\":[");
            }
            try (var another = new Client()) {
                assertThat(another.lines.readLine()).contains("expected at most 32 clients");
            }
            assertThat(all.getFirst().ask(STEP)).startsWith("{\"observation\":[");
        } finally {
            for (Client client : all) {
                client.close();
            }
        }
    }

    @Test
    void closingTheServerDisconnectsClientsAndFreesThePort() throws IOException {
        int port = server.port();
        try (var client = new Client()) {
            client.ask(RESET);
            server.close();
            assertThat(client.lines.readLine()).isNull();
        }
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
        server.close();
    }
}
