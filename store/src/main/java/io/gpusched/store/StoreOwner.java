package io.gpusched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Who has a store open, in words for the next one who tries.
///
/// @param name differs between any two openings
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

    /// Asking the network for our own name can take seconds; the system knows it at once.
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
                        + (owner.isBlank() ? "somebody else" : owner)
                        + "; stop that one first, or give this one its own data",
                owner);
    }
}
