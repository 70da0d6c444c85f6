package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

final class PrometheusLagTest {
    private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
    private static final String VECTOR =
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[%s]}}";
    private static final String SERIES = "{\"metric\":{},\"value\":[1.5,\"%s\"]}";

    private final ScriptedHttp server =
            ScriptedHttp.of(200, VECTOR.formatted(SERIES.formatted("41.2")));

    @AfterEach
    void stop() {
        server.close();
    }

    private Binding query(String credentials, String path) {
        String url = "http://" + credentials + "127.0.0.1:" + server.port() + path;
        return binding("prometheus", url, "sum(queue_messages{queue=\"a b\"})", "");
    }

    @Test
    void theDepthIsTheValueRoundedUp() throws Exception {
        assertThat(depth(query("", ""))).isEqualTo(42);
        assertThat(server.take().path())
                .isEqualTo("/api/v1/query?query=sum%28queue_messages%7Bqueue%3D%22a+b%22%7D%29");
        assertThat(depth(query("", "/behind/proxy/"))).isEqualTo(42);
    }

    @Test
    void credentialsAreSentAsTheConnectionSays() throws Exception {
        depth(query("", ""));
        assertThat(server.take().headers().get("Authorization")).isEmpty();
        server.take();
        depth(query("user:pass@", ""));
        assertThat(server.take().headers().get("Authorization")).isEqualTo("Basic dXNlcjpwYXNz");
        server.take();
        depth(query("bearer:abc@", ""));
        assertThat(server.take().headers().get("Authorization")).isEqualTo("Bearer abc");
    }

    @ParameterizedTest
    @CsvSource({"NaN", "+Inf", "-1", "1e13", "x", "''"})
    void valuesThatNoQueueHasAreProblems(String value) {
        server.answer(200, VECTOR.formatted(SERIES.formatted(value)));
        assertProblem(query("", ""), "number of messages");
    }

    @Test
    void answersWithoutOneValueAreProblems() {
        server.answer(200, VECTOR.formatted(""));
        assertProblem(query("", ""), "0 results instead of one");
        server.answer(200, VECTOR.formatted(SERIES + "," + SERIES));
        assertProblem(query("", ""), "2 results instead of one; use sum");
        server.answer(200, "<html>sign in</html>");
        assertProblem(query("", ""), "not a number of messages");
        server.answer(200, "[".repeat(100_000));
        assertProblem(query("", ""), "not a number of messages");
        server.answer(200, " ".repeat(5 << 20));
        assertProblem(query("", ""), "connection failed");
        server.answer(400, "{\"status\":\"error\",\"errorType\":\"bad_data\"}");
        assertProblem(query("", ""), "rejected the query");
        server.answer(302, "");
        assertProblem(query("", ""), "answered HTTP 302");
        server.answer(401, "");
        assertProblem(query("a:canary@", ""), "refused the credentials");
        assertProblem(query("bearer:canary%0A@", ""), "printable");
        assertProblem(query("", "/a b"), "a path");
        assertProblem(binding("prometheus", "ftp://h", "up", ""), "http:// or https://");
    }

    /// It answers 503 until its series are loaded.
    private static void awaitReady(Binding binding) throws InterruptedException {
        String last = "503";
        while (last.contains("503")) {
            try {
                last = String.valueOf(depth(binding));
            } catch (LagProblem e) {
                last = String.valueOf(e.getMessage());
            }
        }
    }

    /// The server of Debian's package `prometheus`.
    @Test
    void aRealServerAnswersQueries() throws Exception {
        ServerProcess.need(PROGRAM, "prometheus");
        Path folder = ServerProcess.folder("prometheus");
        int port = ServerProcess.freePort();
        Files.writeString(folder.resolve("prometheus.yml"), "global: {}\n");
        List<String> command =
                List.of(
                        PROGRAM.toString(),
                        "--config.file=prometheus.yml",
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port);
        ServerProcess prometheus = ServerProcess.start(folder, port, Map.of(), command);
        try {
            String url = "http://127.0.0.1:" + port;
            awaitReady(binding("prometheus", url, "vector(0)", ""));
            assertThat(depth(binding("prometheus", url, "vector(7) * 3", ""))).isEqualTo(21);
            assertThat(depth(binding("prometheus", url, "scalar(vector(5))", ""))).isEqualTo(5);
            assertProblem(binding("prometheus", url, "absent_metric", ""), "0 results");
            assertProblem(binding("prometheus", url, "sum(", ""), "rejected the query");
        } finally {
            prometheus.close();
        }
    }
}
