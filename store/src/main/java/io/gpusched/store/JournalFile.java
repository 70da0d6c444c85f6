package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.wire.codec.BatchLines;
import io.gpusched.wire.codec.UnreadableException;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/// Writes a journal to a file of JSON lines, one batch each, and reads it. The file is gzipped if
/// its name ends in `.gz`. Such files are for inspection, for other programs and for what-if on
/// another machine.
///
/// A truncated file is read as far as it goes, with a warning. Any other error stops the reading
/// and names file, line, what was expected and what was found: batches build on each other, so none
/// can be skipped.
public final class JournalFile {
    private static final int BUFFER = 1 << 16;
    private static final String PACKED = ".gz";

    private final Path file;
    private @Nullable String cut;

    public JournalFile(Path file) {
        this.file = file;
    }

    /// Writes the batches after number `after` into a new file; returns the last number.
    public static long write(JournalReader from, long after, Path file) {
        try (var writer = Writer.create(file)) {
            long last = from.read(after, writer::add);
            writer.finish();
            return last;
        }
    }

    /// A file that is being written; it appears when it is complete.
    public static final class Writer implements AutoCloseable {
        private final Path file;
        private final Path draft;
        private final OutputStream out;
        private final BatchLines lines = new BatchLines();

        private Writer(Path file, Path draft, OutputStream out) {
            this.file = file;
            this.draft = draft;
            this.out = out;
        }

        public static Writer create(Path file) {
            if (Files.exists(file)) {
                throw new StoreException(
                        StoreException.Kind.BROKEN,
                        "expected no file at " + file + ", found one; name another");
            }
            Path draft = file.resolveSibling(file.getFileName() + ".draft");
            try {
                Files.deleteIfExists(draft);
                PrivateFiles.file(draft); // Jobs carry commands, and those carry secrets.
                return new Writer(file, draft, packed(file, Files.newOutputStream(draft)));
            } catch (IOException e) {
                throw StoreException.broken("writing " + file, e);
            }
        }

        public void add(Batch batch) {
            try {
                lines.write(batch, out);
            } catch (IOException e) {
                throw StoreException.broken("writing " + file, e);
            }
        }

        public void finish() {
            try {
                out.close();
                try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
                Files.move(draft, file);
            } catch (IOException e) {
                throw StoreException.broken("writing " + file, e);
            }
        }

        /// Deletes a partial file.
        @Override
        public void close() {
            try {
                out.close();
                Files.deleteIfExists(draft);
            } catch (IOException e) {
                throw StoreException.broken("writing " + file, e);
            }
        }
    }

    private static OutputStream packed(Path file, OutputStream out) throws IOException {
        return isPacked(file)
                ? new BufferedOutputStream(new GZIPOutputStream(out, BUFFER), BUFFER)
                : new BufferedOutputStream(out, BUFFER);
    }

    /// Passes every batch after number `after` to `into`, in order.
    public void read(long after, Consumer<Batch> into) {
        if (!Files.isRegularFile(file)) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected an exported journal at " + file + ", found none");
        }
        try (InputStream in = open()) {
            new Reading(in).read(after, into);
        } catch (ZipException e) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    file + ": expected a file packed with gzip, found " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw StoreException.broken("reading " + file, e);
        }
    }

    /// Describes where the file is truncated; null if it is not.
    public @Nullable String cut() {
        return cut;
    }

    private InputStream open() throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        return isPacked(file) ? new GZIPInputStream(in, BUFFER) : in;
    }

    private static boolean isPacked(Path file) {
        return String.valueOf(file.getFileName()).endsWith(PACKED);
    }

    /// One pass over the file.
    private final class Reading {
        private final InputStream in;
        private final BatchLines lines = new BatchLines();
        private final byte[] buffer = new byte[BUFFER];
        private int from;
        private int to;
        private byte[] line = new byte[1 << 12];
        private int length;
        private long number;
        private long last;

        Reading(InputStream in) {
            this.in = in;
        }

        void read(long after, Consumer<Batch> into) throws IOException {
            cut = null;
            while (nextLine()) {
                number++;
                if (length == 0) {
                    continue;
                }
                Batch batch = batch();
                if (last != 0 && batch.number() != last + 1) {
                    throw wrong("expected batch " + (last + 1) + ", found " + batch.number());
                }
                if (last == 0 && batch.number() > after + 1) {
                    throw wrong(
                            "expected batch "
                                    + (after + 1)
                                    + " or one before it, found "
                                    + batch.number()
                                    + "; export the journal from its beginning");
                }
                last = batch.number();
                if (last > after) {
                    into.accept(batch);
                }
            }
        }

        private Batch batch() {
            try {
                return lines.read(line, length);
            } catch (UnreadableException e) {
                throw new StoreException(
                        StoreException.Kind.DAMAGED,
                        file + ":" + number + ": " + e.getMessage(),
                        e);
            }
        }

        private StoreException wrong(String what) {
            return new StoreException(
                    StoreException.Kind.DAMAGED, file + ":" + number + ": " + what);
        }

        /// Reads the next whole line; false at the end. A last line without a line end is a partial
        /// batch.
        private boolean nextLine() throws IOException {
            length = 0;
            while (true) {
                if (from == to && !fill()) {
                    if (length > 0 && cut == null) {
                        cut = "%s:%d: the last line has no end".formatted(file, number + 1);
                    }
                    return false;
                }
                int end = from;
                while (end < to && buffer[end] != '\n') {
                    end++;
                }
                keep(end);
                from = end;
                if (end < to) {
                    from++;
                    return true;
                }
            }
        }

        private void keep(int end) {
            int more = end - from;
            if (length + more > line.length) {
                line = Arrays.copyOf(line, Math.max(length + more, line.length * 2));
            }
            System.arraycopy(buffer, from, line, length, more);
            length += more;
        }

        private boolean fill() throws IOException {
            from = 0;
            to = 0;
            try {
                int read = in.read(buffer);
                to = Math.max(0, read);
                return read > 0;
            } catch (EOFException e) {
                cut = "%s:%d: the packed file ends too early".formatted(file, number + 1);
                return false;
            }
        }
    }
}
