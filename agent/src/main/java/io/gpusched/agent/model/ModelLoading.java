package io.gpusched.agent.model;

import io.gpusched.wire.proto.agent.ModelOrder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/// Loads one model into the cache directory. It checks the size that each file should have, the
/// size that was declared for the model, and that the model fits into the cache.
final class ModelLoading {
    private static final Logger log = LoggerFactory.getLogger(ModelLoading.class);
    private static final int CHUNK = 1 << 20;
    private static final Duration LOG_EVERY = Duration.ofSeconds(10);

    /// Declared sizes are often rounded: so much more or less, in percent, is right.
    private static final int TOLERANCE = 5;

    private final ModelDirectory directory;
    private final ModelOrder order;
    private final long most;
    private long copied;
    private long logAt = System.nanoTime() + LOG_EVERY.toNanos();
    private volatile long progressAt = System.nanoTime();
    private volatile boolean cancelled;

    /// @param most the bytes that the cache has left
    ModelLoading(ModelDirectory directory, ModelOrder order, long most) {
        this.directory = directory;
        this.order = order;
        this.most = most;
    }

    ModelOrder order() {
        return order;
    }

    /// Ends the loading at its next chunk.
    void cancel() {
        cancelled = true;
    }

    /// How long nothing has arrived.
    Duration silent() {
        return Duration.ofNanos(System.nanoTime() - progressAt);
    }

    /// @return the size of the model
    long run() throws IOException, InterruptedException {
        if (order.getBytes() > most) {
            throw new IOException(full(most));
        }
        var source = new ModelSource(order.getUri());
        Path draft = directory.draft(order.getModel());
        source.copyTo((name, bytes, content) -> take(draft, name, bytes, content));
        checkSize(order, copied, most);
        return directory.publish(order.getModel());
    }

    private void take(Path draft, String name, long bytes, InputStream content) throws IOException {
        Path file = draft.resolve(name).normalize();
        if (!file.startsWith(draft)) {
            throw new IOException("expected a file name, found '" + name + "'");
        }
        Files.createDirectories(file.getParent() == null ? draft : file.getParent());
        long before = copied;
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] chunk = new byte[CHUNK];
            for (int read = content.read(chunk); read >= 0; read = content.read(chunk)) {
                write(out, ByteBuffer.wrap(chunk, 0, read));
                note(read);
            }
            out.force(true);
        }
        if (bytes >= 0 && copied - before != bytes) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "%s: expected %d bytes, found %d",
                            name,
                            bytes,
                            copied - before));
        }
    }

    private static void write(FileChannel out, ByteBuffer chunk) throws IOException {
        while (chunk.hasRemaining()) {
            out.write(chunk);
        }
    }

    private void note(int read) throws IOException {
        copied += read;
        progressAt = System.nanoTime();
        if (cancelled) {
            throw new IOException("the model is no longer wanted");
        }
        if (copied > most) {
            throw new IOException(full(most));
        }
        if (System.nanoTime() - logAt >= 0) {
            logAt = System.nanoTime() + LOG_EVERY.toNanos();
            log.info("loading model {}: {} of {} bytes", order.getModel(), copied, expected());
        }
    }

    private String expected() {
        return order.getBytes() == 0 ? "an unknown number of" : Long.toString(order.getBytes());
    }

    private static String full(long most) {
        return String.format(
                Locale.ROOT,
                "the model does not fit: the cache has %d bytes left; raise --model-cache-gb",
                most);
    }

    /// @param most the bytes that the cache has left
    static void checkSize(ModelOrder order, long copied, long most) throws IOException {
        long declared = order.getBytes();
        if (copied > most) {
            throw new IOException(full(most));
        }
        if (copied == 0) {
            throw new IOException("expected a model, found nothing at " + order.getUri());
        }
        if (declared > 0 && Math.abs(copied - declared) > declared / 100 * TOLERANCE) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "expected about %d bytes (size_bytes of the model), found %d",
                            declared,
                            copied));
        }
    }
}
