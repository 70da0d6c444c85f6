package io.gpusched.server;

import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigReader;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Starts a scheduler in a temporary directory, sends a few requests and ends. Once per build, the
/// launcher records which classes this run loads (a class data archive), so that later starts are
/// quick.
final class ServerTrainingRun {
    private static final String JOB =
            "{\"name\":\"training\",\"gpu_count\":2,\"priority\":100,\"command\":[\"true\"]}";

    private ServerTrainingRun() {}

    public static void main(String... words) throws IOException {
        Path folder = Files.createTempDirectory("gpu-scheduler-training");
        try {
            trainIn(folder);
        } finally {
            remove(folder);
        }
        System.exit(0);
    }

    private static void trainIn(Path folder) throws IOException {
        Arguments arguments =
                Arguments.of(
                        "--http-port=0",
                        "--grpc-port=0",
                        "--metrics-port=0",
                        "--data-dir=" + folder);
        Config config = ConfigReader.read(arguments, Map.of());
        Logging.configure(config.log());
        try (Server server = Server.start(config, death -> {})) {
            for (int i = 0; i < 20; i++) {
                send(server.url() + "/api/v1/jobs", JOB);
            }
            for (String path :
                    List.of("/health", "/api/v1/jobs", "/api/v1/jobs/job-1", "/metrics")) {
                send(server.url() + path, "");
            }
        }
    }

    private static void send(String url, String body) throws IOException {
        var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        try (var answer = connection.getInputStream()) {
            answer.readAllBytes();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
