package io.gpusched.core.scale;

import java.util.Locale;

/// Writes reasons with their figures, in the same way everywhere.
final class Reason {
    private Reason() {}

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
