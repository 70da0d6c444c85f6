package io.gpusched.server.config;

import java.net.BindException;

/// Says of a port that cannot be had how to have another.
public final class Ports {
    private Ports() {}

    /// What to tell when listening failed.
    ///
    /// @param flag with which another port is chosen
    public static IllegalArgumentException refused(
            String host, int port, String flag, Throwable why) {
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return new IllegalArgumentException(
                        ("port %d of %s cannot be had (%s): stop what listens there, or choose"
                                        + " another with %s; 0 takes a free one")
                                .formatted(port, host, cause.getMessage(), flag),
                        why);
            }
        }
        return new IllegalArgumentException(
                "cannot listen on port %d of %s (%s); choose another with %s"
                        .formatted(port, host, why.getMessage(), flag),
                why);
    }
}
