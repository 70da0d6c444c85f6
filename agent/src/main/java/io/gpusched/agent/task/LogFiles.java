package io.gpusched.agent.task;

import com.google.protobuf.ByteString;

import io.gpusched.wire.proto.agent.LogChunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The output of one task: files named by the offset of their first byte.
///
///     log.0 (dropped)   log.8388608   log.16778240      offsets count all that was ever written
///
/// Offsets stay valid when old files are dropped: a reader that fell behind sees a gap, never the
/// same bytes twice.
final class LogFiles {
    private static final String PREFIX = "log.";

    /// Names of log files; any other file is not output.
    private static final Pattern NUMBERED = Pattern.compile("log\\.[0-9]{1,18}");
    private static final int MOST_BYTES = 1 << 20;

    private final Path directory;

    LogFiles(Path directory) {
        this.directory = directory;
    }

    /// Reads from `offset`; a negative offset counts from the end.
    ///
    /// @param ended whether the task had ended before this call, so that no more output can come
    LogChunk.Builder read(long offset, int maxBytes, boolean ended) throws IOException {
        NavigableMap<Long, Path> files = files();
        if (files.isEmpty()) {
            return LogChunk.newBuilder().setOffset(Math.max(0, offset)).setComplete(ended);
        }
        long end = files.lastKey() + Files.size(files.lastEntry().getValue());
        long wanted = offset < 0 ? Math.max(0, end + offset) : Math.min(offset, end);
        Map.Entry<Long, Path> from = files.floorEntry(wanted);
        if (from == null) {
            from = files.firstEntry();
            wanted = from.getKey();
        }
        ByteBuffer content = ByteBuffer.allocate(Math.clamp(maxBytes, 1, MOST_BYTES));
        long at = wanted;
        for (Path file : files.tailMap(from.getKey(), true).values()) {
            if (at < offsetOf(file)) { // A gap: not what the shim wrote.
                if (content.position() > 0) {
                    break;
                }
                wanted = at = offsetOf(file);
            }
            at += append(file, at - offsetOf(file), content);
            if (!content.hasRemaining()) {
                break;
            }
        }
        return LogChunk.newBuilder()
                .setOffset(wanted)
                .setContent(ByteString.copyFrom(content.flip()))
                .setComplete(ended && at >= end);
    }

    /// How many bytes the task has written so far.
    long end() throws IOException {
        NavigableMap<Long, Path> files = files();
        return files.isEmpty() ? 0 : files.lastKey() + Files.size(files.lastEntry().getValue());
    }

    /// Whether a file of this name holds output.
    static boolean isLog(String name) {
        return NUMBERED.matcher(name).matches();
    }

    private static int append(Path file, long position, ByteBuffer content) throws IOException {
        int before = content.position();
        try (FileChannel channel = FileChannel.open(file)) {
            while (content.hasRemaining()
                    && channel.read(content, position + content.position() - before) > 0) {}
        }
        return content.position() - before;
    }

    private NavigableMap<Long, Path> files() throws IOException {
        NavigableMap<Long, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : all) {
                if (NUMBERED.matcher(file.getFileName().toString()).matches()
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.put(offsetOf(file), file);
                }
            }
        } catch (NoSuchFileException e) {
            return files;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    private static long offsetOf(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(PREFIX.length()));
    }
}
