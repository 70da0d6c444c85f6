package io.gpusched.store;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/// Who has a store open, in words for the next one who tries.
///
/// @param name differs between any two openings
record Owner(String name) {
    static Owner self() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "an unknown host";
        }
        return new Owner(
                "process %s on %s since %s (%s)"
                        .formatted(
                                ProcessHandle.current().pid(),
                                host,
                                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                                UUID.randomUUID().toString().substring(0, 8)));
    }

    static StoreException refused(String what, String owner) {
        return new StoreException(
                StoreException.Kind.LOCKED,
                what
                        + " is in use by "
                        + (owner.isBlank() ? "somebody else" : owner)
                        + "; stop that one first, or give this one its own data");
    }
}
