package io.gpusched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The process that has a store open, described for the next one that tries to open it.
///
/// @param name unique for each opening
record StoreOwner(String name) {
    static StoreOwner self() {
        return new StoreOwner(
                "process %s on %s since %s (%s)"
                        .formatted(
                                ProcessHandle.current().pid(),
                                host(),
                                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                                Long.toHexString(System.nanoTime())));
    }

    /// The host name from the operating system; a network look-up can take seconds.
    private static String host() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "this host";
        }
    }

    static StoreException refused(String what, String owner) {
        return StoreException.locked(
                what
                        + " is in use by "
                        + (owner.isBlank() ? "another process" : owner)
                        + "; stop that process first, or use another data directory or database",
                owner);
    }
}
