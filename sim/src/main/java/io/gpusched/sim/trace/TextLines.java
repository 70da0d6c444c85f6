package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The lines of a text file, compressed with gzip (a name that ends in `.gz`) or not.
///
/// All readers of traces and expected results read through this class, so all of them skip a
/// byte-order mark, notice a compressed file that was cut off, and refuse a line that is too long
/// to be one.
public final class TextLines implements AutoCloseable {
    /// No line of a known format is nearly as long. A file without line ends would fill the memory.
    static final int MOST_CHARACTERS = 4 << 20;

    private static final int BUFFER = 1 << 16;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /// Hands over everything that can be decompressed before it reports that the rest is missing:
    /// readers fill large buffers, and the number of the last whole line would be lost.
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
    private final Reader reader;
    private final char[] buffer = new char[BUFFER];
    private int at;
    private int filled;
    private boolean afterReturn;
    private long number;

    private TextLines(String file, Noticed in) {
        this.file = file;
        this.in = in;
        this.reader = new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    /// @param expected the kind of file this should be, for people
    public static TextLines open(Path path, String expected) {
        String name = String.valueOf(path.getFileName());
        if (!Files.exists(path)) {
            throw new BadTrace("there is no file %s; expected %s".formatted(path, expected));
        }
        if (!Files.isRegularFile(path)) {
            throw new BadTrace("%s is not a regular file; expected %s".formatted(path, expected));
        }
        try {
            InputStream raw = Files.newInputStream(path);
            return new TextLines(
                    name,
                    new Noticed(name.endsWith(".gz") ? new GZIPInputStream(raw, BUFFER) : raw));
        } catch (ZipException | EOFException e) {
            throw new BadTrace(
                    "%s is not a gzip file although its name ends in .gz; compress it again, or rename it"
                            .formatted(path));
        } catch (IOException e) {
            throw new BadTrace("%s cannot be read: %s".formatted(path, FileProblem.with(e)));
        }
    }

    /// All lines of a file, blank ones too.
    ///
    /// @param expected the kind of file this should be, for people
    public static List<String> all(Path path, String expected) {
        try (TextLines textLines = open(path, expected)) {
            var all = new ArrayList<String>();
            for (String line = textLines.read(); line != null; line = textLines.read()) {
                all.add(line);
            }
            return all;
        }
    }

    /// The next line that is not blank; null at the end.
    public @Nullable String next() {
        String line = read();
        while (line != null && line.isBlank()) {
            line = read();
        }
        return line;
    }

    private @Nullable String read() {
        try {
            String line = line();
            if (line != null) {
                number++;
            }
            return line;
        } catch (IOException e) {
            throw new BadTrace(
                    "%s, after line %d: cannot be read: %s"
                            .formatted(file, number, FileProblem.with(e)));
        }
    }

    /// The next line without its end; null at the end of the file.
    private @Nullable String line() throws IOException {
        var line = new StringBuilder();
        boolean some = false;
        if (afterReturn && fill() && buffer[at] == '\n') {
            at++;
        }
        afterReturn = false;
        while (fill()) {
            some = true;
            int end = at;
            while (end < filled && buffer[end] != '\n' && buffer[end] != '\r') {
                end++;
            }
            line.append(buffer, at, end - at);
            if (line.length() > MOST_CHARACTERS) {
                number++;
                throw wrong(
                        "a line of at most "
                                + MOST_CHARACTERS
                                + " characters; check that this is a text file with line ends",
                        line.toString());
            }
            at = end + 1;
            if (end < filled) {
                afterReturn = buffer[end] == '\r';
                return line.toString();
            }
        }
        if (!in.trouble.isEmpty()) {
            throw new BadTrace(
                    "%s, after line %d: the gzip file ends too early or is damaged (%s); expected a whole file, copy it again"
                            .formatted(file, number, in.trouble));
        }
        return some ? line.toString() : null;
    }

    private boolean fill() throws IOException {
        if (at < filled) {
            return true;
        }
        boolean first = number == 0 && filled == 0;
        filled = reader.read(buffer, 0, buffer.length);
        at = first && filled > 0 && buffer[0] == BYTE_ORDER_MARK ? 1 : 0;
        return filled > 0 && (at < filled || fill());
    }

    /// A problem with the line read last.
    ///
    /// @param expected what should be there, and what to do about it
    public BadTrace wrong(String expected, String found) {
        return new BadTrace(
                "%s, line %d: expected %s, found %s"
                        .formatted(file, number, expected, Excerpt.of(found)));
    }

    /// The number of the line read last, from 1.
    public long number() {
        return number;
    }

    /// The name of the file, without its directory.
    public String file() {
        return file;
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new BadTrace("%s cannot be closed: %s".formatted(file, FileProblem.with(e)));
        }
    }
}
