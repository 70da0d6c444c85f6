package io.gpusched.lab.fgd;

import io.gpusched.sim.trace.BadTrace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// Reads a folder's text files, whether they are packed or not.
public final class Tables {
    private final Path folder;

    public Tables(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadTrace(
                    "there is no folder %s; --data names one with the files of the experiment"
                            .formatted(folder));
        }
        this.folder = folder;
    }

    boolean has(String name) {
        return Files.exists(folder.resolve(name)) || Files.exists(folder.resolve(name + ".gz"));
    }

    /// Where `name` or `name.gz` is.
    Path file(String name) {
        Path plain = folder.resolve(name);
        if (!has(name)) {
            throw new BadTrace(
                    "%s has neither %s nor %s.gz; --data names a folder with the files of the experiment"
                            .formatted(folder, name, name));
        }
        return Files.exists(plain) ? plain : folder.resolve(name + ".gz");
    }

    /// All lines of `name` or `name.gz`.
    List<String> lines(String name) {
        Path file = file(name);
        try (InputStream in =
                        file.toString().endsWith(".gz")
                                ? new GZIPInputStream(Files.newInputStream(file), 1 << 16)
                                : Files.newInputStream(file);
                var reader =
                        new BufferedReader(
                                new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16)) {
            return reader.lines().toList();
        } catch (IOException | RuntimeException e) {
            throw new BadTrace("%s in %s cannot be read: %s".formatted(name, folder, e));
        }
    }
}
