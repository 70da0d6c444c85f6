package io.gpusched.agent.notice;

import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/// A file that an operator's own script writes: the machine will be taken away so many seconds
/// after the file was written. An empty file means half a minute.
final class FileNotice implements NoticeSource {
    private static final long USUAL_SECONDS = 30;
    private static final long MOST_BYTES = 64;

    private final Path file;

    FileNotice(Path file) {
        this.file = file;
    }

    @Override
    public @Nullable Announcement read() throws IOException {
        try {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(
                        "expected a number of seconds in " + file + ", found a longer text");
            }
            String text = Files.readString(file).strip();
            long seconds = text.isEmpty() ? USUAL_SECONDS : Long.parseLong(text);
            return new Announcement(written.plus(Duration.ofSeconds(seconds)));
        } catch (NoSuchFileException e) {
            return null;
        } catch (NumberFormatException | ArithmeticException | DateTimeException e) {
            throw new IOException(
                    "expected a number of seconds in "
                            + file
                            + ", found "
                            + new JsonTree.Text(Files.readString(file).strip()).shown(),
                    e);
        }
    }
}
