package io.gpusched.operator;

/// An option whose value cannot be used; the message names the option and the remedy.
final class UnusableOption extends RuntimeException {
    UnusableOption(String message) {
        super(message, null, false, false);
    }
}
