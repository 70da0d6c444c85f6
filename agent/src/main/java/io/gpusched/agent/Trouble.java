package io.gpusched.agent;

import io.grpc.Status;

import org.jspecify.annotations.Nullable;

/// Says why the scheduler could not be talked to, and which option would change it.
///
/// Two sides of which one speaks TLS and the other does not never say so; they say that the line
/// was cut or that a frame was odd. What that usually means is written here, once.
final class Trouble {
    private Trouble() {}

    static String inWords(Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                    "the scheduler refuses the join token: "
                            + status.getDescription()
                            + "; give a valid one with --join-token-file";
            case UNAVAILABLE ->
                    "the scheduler cannot be reached: " + reason(status) + hint(reason(status));
            default -> "the session failed: " + reason(status) + hint(reason(status));
        };
    }

    private static String hint(String reason) {
        if (reason.contains("not an SSL/TLS record")) {
            return "; it seems to speak without TLS: give --plaintext yes";
        }
        if (reason.contains("not SETTINGS")
                || reason.contains("Network closed")
                || reason.contains("Connection reset")
                || reason.contains("end of stream")) {
            return "; if it speaks TLS, give --tls-ca FILE or --plaintext no";
        }
        if (reason.contains("certification path") || reason.contains("trustAnchors")) {
            return "; give the authority of its certificate with --tls-ca FILE";
        }
        if (reason.contains("subject alternative") || reason.contains("No name matching")) {
            return "; give as --server a name for which its certificate was made";
        }
        return "";
    }

    /// The description and every cause below it: the one that says something is often the last.
    private static String reason(Status status) {
        StringBuilder text = new StringBuilder(String.valueOf(status.getDescription()));
        for (@Nullable Throwable cause = status.getCause();
                cause != null;
                cause = cause.getCause()) {
            String said = cause.getMessage();
            if (said != null && text.indexOf(said) < 0) {
                text.append(" (").append(said.lines().findFirst().orElse("")).append(')');
            }
        }
        return text.toString();
    }
}
