package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;

import java.util.List;
import java.util.stream.Stream;

/// Thrown when the server refuses a request. Carries the server's message and, if given, the field
/// and the hint.
public final class RequestRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String field;
    private final String hint;

    RequestRefused(int status, String error, String field, String hint) {
        super(error);
        this.status = status;
        this.field = field;
        this.hint = hint;
    }

    /// Reads the refusal from an answer; a body that is not our JSON is quoted.
    static RequestRefused by(int status, Json body, String raw) {
        String error = body.firstOf("error", "detail").text();
        String sentence = error.isEmpty() ? HttpResponse.excerpt(raw) : error;
        String hint = body.at("hint").text();
        return new RequestRefused(
                status,
                sentence.isEmpty() ? "no reason given" : sentence,
                body.at("field").text(),
                hint.isEmpty() ? usualHint(status) : CommandHints.translate(hint));
    }

    public int status() {
        return status;
    }

    /// The server's message, with the HTTP status.
    public String sentence() {
        return "refused: " + getMessage() + " (HTTP " + status + ")";
    }

    /// The lines below the message: the invalid field and the hint, if known.
    public List<String> details() {
        return Stream.of(line("field: ", field), line("hint:  ", hint))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /// Whether the same request may succeed later.
    public boolean isTemporary() {
        return status == 429 || status == 502 || status == 503 || status == 504;
    }

    private static String line(String label, String text) {
        return text.isEmpty() ? "" : "  " + label + text;
    }

    private static String usualHint(int status) {
        return switch (status) {
            case 401 -> "give a token with --token, --token-file or GPU_SCHEDULER_TOKEN";
            case 403 -> "the token has no permission for this, or a quota forbids it";
            case 429, 503 -> "try again in a moment";
            default -> "";
        };
    }
}
