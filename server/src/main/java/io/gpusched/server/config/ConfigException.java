package io.gpusched.server.config;

/// Thrown when a setting is invalid. The message says where it is written, what was expected and
/// what was found.
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
