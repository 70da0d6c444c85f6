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
    /// How an answer of HTTP/1.1 begins, as Netty shows the bytes it could not understand.
    private static final String OLD_HTTP = "485454502f";

    /// Bytes in hexadecimal and system calls, which do not help the reader.
    private static final Pattern INNARDS =
            Pattern.compile(
                    "(\\. Hex dump for first \\d+ bytes)?: [0-9a-f]{6,}$"
                            + "|\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private ConnectionFailure() {}

    static String inWords(Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                    "the scheduler refuses the join token: "
                            + status.getDescription()
                            + "; give a valid one with --join-token-file";
            case UNAVAILABLE -> "the scheduler cannot be reached: " + reasonAndHint(status);
            default -> "the session failed: " + reasonAndHint(status);
        };
    }

    private static String reasonAndHint(Status status) {
        List<String> said = said(status);
        String whole = String.join(" ", said);
        if (whole.contains(OLD_HTTP)) {
            return "that port speaks HTTP/1.1, as the scheduler's REST port does; give its gRPC"
                    + " port as --server, 9090 unless it was set";
        }
        String hint = hint(whole);
        List<String> plain = new ArrayList<>();
        for (String line : said) {
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

    /// The first line of the description and of every cause below it: the one that says something
    /// is often the last.
    private static List<String> said(Status status) {
        List<String> said = new ArrayList<>();
        said.add(firstLine(String.valueOf(status.getDescription())));
        for (@Nullable Throwable cause = status.getCause();
                cause != null;
                cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                said.add(firstLine(cause.getMessage()));
            }
        }
        return said;
    }

    /// Below it Netty lists its own parts.
    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
