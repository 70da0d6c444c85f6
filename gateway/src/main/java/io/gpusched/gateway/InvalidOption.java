package io.gpusched.gateway;

/// An option whose value cannot be used; the message names the option and the remedy.
final class InvalidOption extends RuntimeException {
    InvalidOption(String message) {
        super(message, null, false, false);
    }
}
