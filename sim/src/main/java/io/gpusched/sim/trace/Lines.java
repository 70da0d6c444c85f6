package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The lines of a text file, packed with gzip (a name that ends in `.gz`) or not.
public final class Lines implements AutoCloseable {
    /// Gives all that can be unpacked before it says that the rest is missing: readers fill large
    /// buffers, and nobody would know how far they came.
    private static final class Noticed extends FilterInputStream {
        private String trouble = "";

        Noticed(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return trouble.isEmpty() ? super.read(into, from, length) : -1;
            } catch (EOFException | ZipException e) {
                trouble = String.valueOf(e.getMessage());
                return -1;
            }
        }
    }

    private final String file;
    private final Noticed in;
    private final BufferedReader reader;
    private long number;

    private Lines(String file, Noticed in, BufferedReader reader) {
        this.file = file;
        this.in = in;
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
            var in = new Noticed(name.endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw);
            return new Lines(
                    name,
                    in,
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16));
        } catch (ZipException | EOFException e) {
            throw new BadTrace(
                    "%s is not packed with gzip although its name ends in .gz; pack it again, or rename it"
                            .formatted(path));
        } catch (IOException e) {
            throw new BadTrace("%s cannot be read: %s".formatted(path, Trouble.with(e)));
        }
    }

    /// All lines of a file, blank ones too.
    ///
    /// @param expected what kind of file this should be, for people
    public static List<String> all(Path path, String expected) {
        try (Lines lines = open(path, expected)) {
            var all = new ArrayList<String>();
            for (String line = lines.read(); line != null; line = lines.read()) {
                all.add(line);
            }
            return all;
        }
    }

    /// The next line that is not blank; null at the end.
    @Nullable String next() {
        String line = read();
        while (line != null && line.isBlank()) {
            line = read();
        }
        return line;
    }

    private @Nullable String read() {
        try {
            String line = reader.readLine();
            if (line == null && !in.trouble.isEmpty()) {
                throw new BadTrace(
                        "%s, after line %d: the packed file ends too early or is damaged (%s); expected a whole file, copy it again"
                                .formatted(file, number, in.trouble));
            }
            number++;
            return line;
        } catch (IOException e) {
            throw new BadTrace(
                    "%s, after line %d: cannot be read: %s"
                            .formatted(file, number, Trouble.with(e)));
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
            throw new BadTrace("%s cannot be closed: %s".formatted(file, Trouble.with(e)));
        }
    }
}
