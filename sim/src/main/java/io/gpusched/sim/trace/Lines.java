package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The lines of a text file, packed with gzip (a name that ends in `.gz`) or not.
final class Lines implements AutoCloseable {
    private final String file;
    private final BufferedReader reader;
    private long number;

    private Lines(String file, BufferedReader reader) {
        this.file = file;
        this.reader = reader;
    }

    /// @param expected what kind of file this should be, for people
    static Lines open(Path path, String expected) {
        String name = String.valueOf(path.getFileName());
        if (!Files.isRegularFile(path)) {
            throw new BadTrace("there is no file %s; expected %s".formatted(path, expected));
        }
        try {
            InputStream raw = Files.newInputStream(path);
            InputStream in = name.endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
            return new Lines(
                    name,
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16));
        } catch (ZipException | EOFException e) {
            throw new BadTrace(
                    "%s is not packed with gzip although its name ends in .gz; pack it again, or rename it"
                            .formatted(path));
        } catch (IOException e) {
            throw new BadTrace("%s cannot be read: %s".formatted(path, e.getMessage()));
        }
    }

    /// The next line that is not blank; null at the end.
    @Nullable String next() {
        try {
            String line = reader.readLine();
            number++;
            while (line != null && line.isBlank()) {
                line = reader.readLine();
                number++;
            }
            return line;
        } catch (EOFException | ZipException e) {
            throw new BadTrace(
                    "%s, after line %d: the packed file ends too early or is damaged (%s); expected a whole file, copy it again"
                            .formatted(file, number, e.getMessage()));
        } catch (IOException e) {
            throw new BadTrace(
                    "%s, after line %d: cannot be read: %s"
                            .formatted(file, number, e.getMessage()));
        }
    }

    /// The number of the line read last, from 1.
    long number() {
        return number;
    }

    String file() {
        return file;
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new BadTrace("%s cannot be closed: %s".formatted(file, e.getMessage()));
        }
    }
}
