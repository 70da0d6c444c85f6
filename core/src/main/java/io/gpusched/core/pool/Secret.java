package io.gpusched.core.pool;

/// A text that no log, message or explanation may show. Its own text form is three asterisks, so
/// that a record that holds one can be printed.
public record Secret(String text) {
    public static final Secret NONE = new Secret("");

    public boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return isEmpty() ? "" : "***";
    }
}
