package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Answers that a Redis server should not give.
final class RedisAnswersTest {
    @Test
    void aNumberIsTheDepth() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(depth(list(server, ":12"))).isEqualTo(12);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":-5",
                ":1000000000001",
                ":9223372036854775807",
                ":99999999999999999999",
                "$6\r\ncanary",
                "$-1",
                "*-1",
                "*2\r\n:1\r\n:2",
                "$2000000000\r\n",
                "*2000000000\r\n",
                "%2000000000\r\n",
                "$99999999999999999999\r\n",
                "-ERR canary",
                "-MOVED canary 127.0.0.1:1",
                "-MOVED 1 127.0.0.1:1",
                "canary",
                "",
            })
    void otherAnswersAreProblems(String answer) throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertProblem(list(server, answer), "the ");
        }
    }

    private static Binding list(ServerSocket server, String answer) {
        Thread.ofVirtual().start(() -> serve(server, answer));
        return binding("redis", "redis://127.0.0.1:" + server.getLocalPort(), "orders", "");
    }

    private static void serve(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            var lines =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // The client sends an array of words: `*2`, `$4`, `LLEN`, `$6`, `orders`.
                if (line.equals("LLEN")) {
                    socket.getOutputStream()
                            .write((answer + "\r\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }
}
