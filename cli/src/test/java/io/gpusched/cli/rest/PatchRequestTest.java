package io.gpusched.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/// PATCH is implemented by hand, so every shape of answer is tested byte for byte.
final class PatchRequestTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 200 OK~Content-Length: 2~~{}|0|",
                "HTTP/1.1 200 OK~content-length:2~~{}trailing|0|",
                "HTTP/1.1 200 OK~~{}|0|",
                "HTTP/1.1 204 No Content~~|0|",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~1;x=y~{~1~}~0~~|0|",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~zz~{}~|1|expected the size of a chunk",
                "HTTP/1.1 409 Conflict~Content-Length: 15~~{\"error\":\"no\"}|1|refused: no (HTTP"
                        + " 409)",
                "HTTP/1.1 302 Found~Location: https://x~~|1|redirects to https://x",
                "SSH-2.0-OpenSSH_9~~|1|the answer is not HTTP",
                "HTTP/1.1 abc~~|1|the answer is not HTTP",
                "HTTP/1.1 200 OK|1|ends within its headers",
                "''|1|ends within its headers"
            })
    void everyShapeOfAnswerIsReadOrReported(String answer, int code, String message)
            throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var asked = new AtomicReference<>("");
            var thread =
                    Thread.ofPlatform()
                            .name("answers-once")
                            .start(() -> asked.set(once(server, answer.replace("~", "\r\n"))));

            var outcome =
                    new Shell()
                            .run(
                                    "priority",
                                    "j",
                                    "7",
                                    "--api-url",
                                    "127.0.0.1:" + server.getLocalPort() + "/below");
            thread.join();

            assertThat(outcome.err()).contains(message == null ? "" : message);
            assertThat(outcome.code()).isEqualTo(code);
            assertThat(asked.get())
                    .startsWith("PATCH /below/api/v1/jobs/j HTTP/1.1\r\nHost: 127.0.0.1:")
                    .endsWith("Content-Length: 14\r\nConnection: close\r\n\r\n{\"priority\":7}");
        }
    }

    /// Reads one whole request, so that closing does not cut off the answer, and answers it.
    private static String once(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            var request = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (request.indexOf("\"priority\":7}") < 0) {
                request.append((char) in.read());
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            return request.toString();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
