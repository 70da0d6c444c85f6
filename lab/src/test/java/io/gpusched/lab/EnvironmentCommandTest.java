package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;

@Timeout(120)
final class EnvironmentCommandTest {
    @Test
    void itServesUntilItIsStopped() throws Exception {
        var out = new PipedReader();
        var line = Main.commandLine().setOut(new PrintWriter(new PipedWriter(out), true));
        var command =
                new FutureTask<>(
                        () -> line.execute("environment", "--port", "0", "--max-queue-size", "6"));
        Thread thread = Thread.ofPlatform().start(command);
        String first = String.valueOf(new BufferedReader(out).readLine());
        assertThat(first)
                .matches(
                        "Serving the environment on 127\\.0\\.0\\.1:\\d+; press Ctrl-C to stop\\.");
        int port = Integer.parseInt(first.replaceAll(".*:(\\d+);.*", "$1"));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("{\"make\":{}}\n".getBytes(StandardCharsets.UTF_8));
            var lines =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(lines.readLine()).contains("\"max_queue_size\":6");
        }
        thread.interrupt();
        assertThat(command.get()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "--port, 65536, '--port: expected 0 to 65535, found 65536'",
        "--num-gpus, 65, '--num-gpus: expected 1 to 64, found 65'",
        "--lookahead-mode, x, '--lookahead-mode: expected one of off, per_gpu, sorted, cdf, found"
                + " x'",
        "--arrival-mode, x, '--arrival-mode: expected one of bursty, all_at_zero, found x'",
        "--objective, wait, '--objective needs --scenario or --trace; the benchmark has one"
                + " reward'",
        "--episode-jobs, 5, '--episode-jobs needs --scenario or --trace'"
    })
    void aWrongOptionIsNamed(String option, String value, String message) {
        Ran ran = Ran.lab("environment", option, value);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).isEqualToIgnoringNewLines("lab: " + message);
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ran ran = Ran.lab("environment", "--port", Integer.toString(taken.getLocalPort()));
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err())
                    .startsWith("lab: cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("choose another --port");
        }
    }
}
