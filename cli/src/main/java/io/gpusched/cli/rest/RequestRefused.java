package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;

import java.util.List;
import java.util.stream.Stream;

/// The server understood and said no. Carries what it said: the sentence, the field and the way
/// out, where it named them.
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

    /// Reads the refusal out of an answer; a body that is no JSON of ours is quoted as it is.
    static RequestRefused by(int status, Json body, String raw) {
        String error = body.firstOf("error", "detail").text();
        String sentence = error.isEmpty() ? HttpResponse.excerpt(raw) : error;
        String hint = body.at("hint").text();
        return new RequestRefused(
                status,
                sentence.isEmpty() ? "no reason given" : sentence,
                body.at("field").text(),
                hint.isEmpty() ? usualHint(status) : CommandHints.ours(hint));
    }

    public int status() {
        return status;
    }

    /// What the server said, with the status that it said it with.
    public String sentence() {
        return "refused: " + getMessage() + " (HTTP " + status + ")";
    }

    /// The lines below the sentence: the field that was wrong and what to do, where known.
    public List<String> details() {
        return Stream.of(line("field: ", field), line("hint:  ", hint))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /// True where the same request may succeed a moment later.
    public boolean passes() {
        return status == 429 || status == 502 || status == 503 || status == 504;
    }

    private static String line(String label, String text) {
        return text.isEmpty() ? "" : "  " + label + text;
    }

    private static String usualHint(int status) {
        return switch (status) {
            case 401 -> "give a token with --token, --token-file or GPU_SCHEDULER_TOKEN";
            case 403 -> "the token may not do this, or a quota forbids it";
            case 429, 503 -> "try again in a moment";
            default -> "";
        };
    }
}
