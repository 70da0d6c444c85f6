package io.gpusched.agent.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A lease kept in a file, where the shims of all tasks watch it even if the agent is dead.
///
/// The file holds the uptime at which the lease expires and the boot id. A lease of an earlier boot
/// is void: its tasks are gone and the uptime has started again.
public final class FileLease implements Lease {
    private final Path file;
    private final Duration longest;
    private long until;

    /// Continues the lease in `file`; `longest` bounds each grant.
    public FileLease(Path file, Duration longest) {
        this.file = file;
        this.longest = longest;
        this.until = remembered(file);
        write();
    }

    @Override
    public long now() {
        return Uptime.now();
    }

    @Override
    public synchronized void renew(long sentAt, Duration granted) {
        Duration length = granted.compareTo(longest) < 0 ? granted : longest;
        long renewed = sentAt + length.toMillis() / 10;
        if (renewed > until) {
            until = renewed;
            write();
        }
    }

    @Override
    public synchronized boolean holds() {
        return Uptime.now() < until;
    }

    Path file() {
        return file;
    }

    private void write() {
        try {
            AtomicFiles.write(file, until + " " + Uptime.boot() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the lease to " + file, e);
        }
    }

    private static long remembered(Path file) {
        try {
            String[] fields = Files.readString(file).strip().split(" ");
            return fields.length == 2 && fields[1].equals(Uptime.boot())
                    ? Long.parseLong(fields[0])
                    : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
