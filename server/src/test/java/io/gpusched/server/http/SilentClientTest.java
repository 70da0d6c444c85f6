package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.config.ApiSection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A client that becomes silent loses its connection, wherever it stopped.
@Timeout(60)
final class SilentClientTest {
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final String HEAD =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nContent-Type: text/plain\r\n\r\n";

    private final CountDownLatch slow = new CountDownLatch(1);
    private final HttpServer server =
            HttpServer.start(
                    new ApiSection(
                            "127.0.0.1",
                            0,
                            0,
                            false,
                            Path.of(""),
                            Path.of(""),
                            false,
                            List.of(),
                            List.of(),
                            0,
                            1 << 20,
                            false),
                    new HttpServer.Port(0, "--port", 100, death -> {}),
                    (request, response) -> {
                        if (request.path().path().equals("/slow")) {
                            await();
                        }
                        byte[] body =
                                request.content().hasEntity()
                                        ? request.content().as(byte[].class)
                                        : new byte[0];
                        response.send(body.length + " bytes");
                    },
                    ClientConnection.Patience.USUAL.withIdle(IDLE));

    @AfterEach
    void stop() {
        slow.countDown();
        server.close();
    }

    private void await() {
        try {
            slow.await();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody may be interrupted who is being answered", e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "PO",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Le",
                HEAD,
                HEAD + "12345",
                HEAD + "1234567890POST / HTTP/1.1\r\nHo"
            })
    void theConnectionEnds(String half) throws IOException {
        try (Socket socket = open()) {
            send(socket, half);
            String heard = read(socket);
            assertThat(heard.contains("10 bytes")).isEqualTo(half.contains("1234567890"));
        }
    }

    /// A connection stays open while its answer takes long, and while its request arrives slowly.
    @Test
    void busyAndSlowConnectionsAreNotCut() throws Exception {
        try (Socket waits = open();
                Socket speaks = open()) {
            send(waits, "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            String request = HEAD.replace("Host: x", "Host: x\r\nConnection: close") + "1234567890";
            long pause = IDLE.toMillis() * 4 / request.length();
            for (String letter : request.split("")) {
                send(speaks, letter);
                waits.setSoTimeout((int) pause);
                assertThat(isSilent(waits)).isTrue();
            }
            assertThat(read(speaks)).contains("10 bytes");
            slow.countDown();
            waits.setSoTimeout(0);
            assertThat(read(waits)).contains("0 bytes");
        }
    }

    private static boolean isSilent(Socket socket) throws IOException {
        try {
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException nothing) {
            return true;
        }
    }

    private Socket open() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static String read(Socket socket) throws IOException {
        var heard = new StringBuilder();
        try {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                heard.append((char) b);
            }
        } catch (IOException reset) {
            // Ended as well.
        }
        return heard.toString();
    }
}
