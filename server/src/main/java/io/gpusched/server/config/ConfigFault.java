package io.gpusched.server.config;

/// A setting is wrong. The message says where it is written, what was expected and what was found.
public final class ConfigFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigFault(String message) {
        super(message);
    }

    public ConfigFault(String message, Throwable cause) {
        super(message, cause);
    }
}
