package io.gpusched.cli;

import io.gpusched.cli.command.PollingClock;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Runs the most common commands against a fake server, to train the JVM's ahead-of-time cache. The
/// launcher does this once per build; every later start then loads its classes from that cache.
public final class CliTrainingRun {
    private static final String ANSWER =
            """
            {"job_id":"job-1","id":"job-1","state":"completed","status":"submitted","total":1,
             "total_gpus":8,"available_gpus":3.5e0,"escaped":"\\u00e4\\n","none":null,"yes":true,
             "jobs":[{"id":"job-1","name":"a","state":"running","gpu_count":1,"priority":100,
                      "submitted_at":"2025-01-01T00:00:00.5Z"}],
             "nodes":[{"id":"n1","state":"ready","total_gpus":8,"available_gpus":8,
                       "total_memory_mb":1024,"available_memory_mb":1536}],
             "tenants":[{"id":"t","current_gpus":1}],"warnings":["none"],
             "events":[{"at":"2025-01-01T00:00:00Z","kind":"k","message":"m"}],
             "reasons":[{"by":"b","why":"w","nodes":1,"lifted_by":["l"]}]}
            """;

    private static final List<String> COMMAND_LINES =
            List.of(
                    "version",
                    "--help",
                    "submit --help",
                    "sumbit",
                    "status",
                    "status -o json",
                    "list --state running --limit 5",
                    "list -o wide",
                    "list -o yaml",
                    "list -o name",
                    "get job-1",
                    "submit --gpus 2 --gpu-memory 40Gi --env A=1 --max-runtime 2h -- python x.py",
                    "wait job-1 --timeout 5s",
                    "logs job-1",
                    "explain job-1",
                    "events job-1",
                    "cancel job-1",
                    "priority job-1 5",
                    "nodes",
                    "nodes n1",
                    "tenants",
                    "create-tenant --name t --max-gpus 4",
                    "--api-url http://127.0.0.1:9 status");

    private CliTrainingRun() {}

    public static void main(String[] args) throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().name("fake server").start(() -> answer(server));
            var process = CliContext.ofProcess();
            var discard = new PrintStream(OutputStream.nullOutputStream());
            var context =
                    new CliContext(
                            Map.of(
                                    "GPU_SCHEDULER_API_URL",
                                    "http://127.0.0.1:" + server.getLocalPort()),
                            InputStream.nullInputStream(),
                            discard,
                            discard,
                            process.terminal(),
                            PollingClock.real());
            COMMAND_LINES.forEach(line -> Main.run(context, line.split(" ")));
        }
    }

    private static void answer(ServerSocket server) {
        byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + "Content-Length: %d\r\n\r\n".formatted(body.length);
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                readRequest(socket.getInputStream());
                socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().write(body);
                socket.shutdownOutput();
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /// Reads the head of a request. The body may stay unread.
    private static void readRequest(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return;
            }
            head.append((char) c);
        }
        in.skipNBytes(in.available());
    }
}
