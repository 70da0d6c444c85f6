package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Servers of other protocols, which a wrong port leads to.
final class KafkaGreetingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
                "-ERR unknown command\r\n",
                "\177\377\377\377\0\0\0\1",
                "\0\0\0\3\0\0\0\1",
                "\0\0\0\7\0\0\0\2",
            })
    void aServerOfAnotherProtocolIsNamed(String answer) throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server, answer));
            String url = "kafka://127.0.0.1:" + server.getLocalPort();
            assertProblem(
                    binding("kafka", url, "orders", "workers"), "does not speak the protocol");
        }
    }

    private static void serve(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The client has gone.
        }
    }
}
