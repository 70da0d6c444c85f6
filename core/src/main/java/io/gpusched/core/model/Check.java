package io.gpusched.core.model;

import java.util.Locale;

/// Checks of the program's own invariants. They are always on: a scheduler that continues with a
/// broken ledger does more harm than one that stops, and replay restores it.
public final class Check {
    private Check() {}

    /// Thrown when the program, not its user, is wrong. Never caught except at the top of a thread.
    public static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    /// Throws [Broken] unless `holds`. The message is a format, filled in only on failure.
    public static void that(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new Broken(String.format(Locale.ROOT, message, values));
        }
    }
}
