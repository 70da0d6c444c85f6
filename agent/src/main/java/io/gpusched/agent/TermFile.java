package io.gpusched.agent;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// The highest term of any scheduler that this agent has met, kept across restarts of the agent.
///
/// A scheduler that has been replaced may not know it yet. Its term is lower than that of its
/// successor, so the agent ignores it.
public final class TermFile {
    private static final Logger log = LoggerFactory.getLogger(TermFile.class);

    private final @Nullable Path file;
    private long highest;

    private TermFile(@Nullable Path file, long highest) {
        this.file = file;
        this.highest = highest;
    }

    public static TermFile inMemory() {
        return new TermFile(null, 0);
    }

    /// An unreadable or invalid file counts as none: the agent must be able to start, and learns
    /// the current term from the first scheduler it meets.
    public static TermFile keptIn(Path file) {
        try {
            return new TermFile(file, Long.parseLong(Files.readString(file).strip()));
        } catch (NoSuchFileException e) {
            return new TermFile(file, 0);
        } catch (IOException | NumberFormatException e) {
            log.warn("{} is damaged and is ignored: {}", file, e.toString());
            return new TermFile(file, 0);
        }
    }

    /// Whether a scheduler of this term is the newest so far. If so, lower terms are refused from
    /// now on.
    synchronized boolean accept(long term) {
        if (term < highest) {
            return false;
        }
        if (term > highest) {
            highest = term;
            save();
        }
        return true;
    }

    /// Path of the file, for messages.
    String where() {
        return file == null ? "memory" : file.toString();
    }

    synchronized long highest() {
        return highest;
    }

    private void save() {
        if (file == null) {
            return;
        }
        try {
            Path draft = file.resolveSibling(file.getFileName() + ".draft");
            Files.writeString(draft, highest + "\n");
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the term to " + file, e);
        }
    }
}
