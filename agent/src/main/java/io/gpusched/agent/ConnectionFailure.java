package io.gpusched.agent;

import io.grpc.Status;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Explains why a connection to the scheduler failed, and names the option that would change it.
///
/// When only one side uses TLS, neither says so: one reports a closed connection, the other a
/// malformed frame. This class knows what such messages usually mean.
final class ConnectionFailure {
    /// The beginning of an HTTP/1.1 answer, as Netty prints bytes that it cannot parse.
    private static final String OLD_HTTP = "485454502f";

    /// Bytes in hexadecimal and system calls, which do not help the reader.
    private static final Pattern INNARDS =
            Pattern.compile(
                    "(\\. Hex dump for first \\d+ bytes)?: [0-9a-f]{6,}$"
                            + "|\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private ConnectionFailure() {}

    static String explain(Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                    "the scheduler refuses the join token: "
                            + status.getDescription()
                            + "; give a valid token with --join-token-file";
            case UNAVAILABLE -> "the scheduler cannot be reached: " + reasonAndHint(status);
            default -> "the session failed: " + reasonAndHint(status);
        };
    }

    private static String reasonAndHint(Status status) {
        List<String> messages = messages(status);
        String whole = String.join(" ", messages);
        if (whole.contains(OLD_HTTP)) {
            return "that port speaks HTTP/1.1, like the scheduler's REST port; give its gRPC"
                    + " port with --server (default: 9090)";
        }
        String hint = hint(whole);
        List<String> plain = new ArrayList<>();
        for (String line : messages) {
            String words = INNARDS.matcher(line).replaceAll("");
            if (plain.stream().noneMatch(before -> before.contains(words))) {
                plain.add(words);
            }
        }
        if (plain.size() > 1 && plain.getFirst().endsWith(" exception")) {
            plain.removeFirst(); // "io exception": a kind, where a cause follows that says more
        }
        String first = plain.removeFirst();
        return plain.isEmpty()
                ? first + hint
                : first + " (" + String.join("; ", plain) + ")" + hint;
    }

    private static String hint(String reason) {
        if (reason.contains("not an SSL/TLS record")) {
            return "; the scheduler seems not to use TLS: give --plaintext yes";
        }
        if (reason.contains("not SETTINGS")
                || reason.contains("Network closed")
                || reason.contains("Connection reset")
                || reason.contains("end of stream")) {
            return "; if the scheduler uses TLS, give --tls-ca FILE or --plaintext no";
        }
        if (reason.contains("certification path") || reason.contains("trustAnchors")) {
            return "; give the CA of its certificate with --tls-ca FILE";
        }
        if (reason.contains("subject alternative") || reason.contains("No name matching")) {
            return "; give with --server a name that its certificate contains";
        }
        return "";
    }

    /// The first line of the description and of each cause; the last cause is often the useful one.
    private static List<String> messages(Status status) {
        List<String> messages = new ArrayList<>();
        messages.add(firstLine(String.valueOf(status.getDescription())));
        for (@Nullable Throwable cause = status.getCause();
                cause != null;
                cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                messages.add(firstLine(cause.getMessage()));
            }
        }
        return messages;
    }

    /// The lines after the first list Netty's internals.
    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
