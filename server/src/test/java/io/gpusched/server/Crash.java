package io.gpusched.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A data directory as it would be found after the process was killed at this moment.
final class Crash {
    private Crash() {}

    static Path of(Path data, Path copy) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(data)) {
            files = all.toList();
        }
        for (Path file : files) {
            Path to = copy.resolve(data.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(to);
            } else {
                Files.copy(file, to);
            }
        }
        return copy;
    }
}
