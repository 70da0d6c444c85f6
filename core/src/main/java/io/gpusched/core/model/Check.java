package io.gpusched.core.model;

import java.util.Locale;

/// Checks of our own promises. They are always on: a scheduler that goes on with a broken ledger
/// does more harm than one that stops, and replay brings it back.
public final class Check {
    private Check() {}

    /// Thrown when the program, not its user, is wrong. Never caught except at the top of a thread.
    public static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    /// Stops with `message` (a format and its values, made only on failure) unless `holds`.
    public static void that(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new Broken(String.format(Locale.ROOT, message, values));
        }
    }
}
