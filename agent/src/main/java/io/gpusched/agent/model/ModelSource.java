package io.gpusched.agent.model;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Where a model is loaded from: a file or a directory (`file:`), or one file of a web server
/// (`http:`, `https:`).
final class ModelSource {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    /// Deeper directories are refused, also where links make a circle.
    private static final int DEEPEST = 32;

    private final URI uri;

    /// Receives the files of the model.
    interface Sink {
        /// @param name its path below the model's directory
        /// @param bytes its size; -1 where it is not known
        void take(String name, long bytes, InputStream content) throws IOException;
    }

    /// @throws IOException for an address of another kind
    ModelSource(String address) throws IOException {
        URI parsed;
        try {
            parsed = URI.create(address);
        } catch (IllegalArgumentException e) {
            throw new IOException("expected an address, found '" + address + "'", e);
        }
        String scheme = parsed.getScheme() == null ? "" : parsed.getScheme();
        if (!List.of("file", "http", "https").contains(scheme.toLowerCase(Locale.ROOT))) {
            throw new IOException(
                    "agents load models from file:, http: and https: addresses, found '"
                            + address
                            + "'");
        }
        this.uri = parsed;
    }

    void copyTo(Sink sink) throws IOException, InterruptedException {
        if ("file".equalsIgnoreCase(uri.getScheme())) {
            copyFiles(Path.of(uri.getPath()), sink);
        } else {
            fetch(sink);
        }
    }

    private static void copyFiles(Path from, Sink sink) throws IOException {
        if (Files.isRegularFile(from)) {
            copy(from, String.valueOf(from.getFileName()), sink);
            return;
        }
        if (!Files.isDirectory(from)) {
            throw new IOException("expected a file or a directory, found none at " + from);
        }
        List<Path> files;
        try (var found = Files.walk(from, DEEPEST, FileVisitOption.FOLLOW_LINKS)) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            copy(file, from.relativize(file).toString(), sink);
        }
    }

    private static void copy(Path file, String name, Sink sink) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            sink.take(name, Files.size(file), content);
        }
    }

    private void fetch(Sink sink) throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .connectTimeout(TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()) {
            HttpResponse<InputStream> response =
                    client.send(
                            HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream content = response.body()) {
                if (response.statusCode() != OK) {
                    throw new IOException(
                            "expected status 200 from "
                                    + uri.getHost()
                                    + ", found "
                                    + response.statusCode());
                }
                long bytes = response.headers().firstValueAsLong("content-length").orElse(-1);
                sink.take(name(), bytes, content);
            } finally {
                client.shutdownNow();
            }
        }
    }

    private String name() {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.isEmpty() || last.equals("..") || last.equals(".") ? "model" : last;
    }
}
