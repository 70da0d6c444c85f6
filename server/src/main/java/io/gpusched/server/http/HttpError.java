package io.gpusched.server.http;

import io.gpusched.core.event.Problem;
import io.gpusched.wire.request.FieldViolation;

import java.util.List;
import java.util.Locale;

/// An error response: its status, message and hint. Handlers throw it, and [RequestHandler] writes
/// it. It has no stack trace, because the cause is the request and not the server.
///
/// @see Problem the cell's reason to refuse a command
final class HttpError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String BROKEN = "Internal server error";

    /// `Retry-After` when the queue is full.
    private static final long QUEUE_FULL_SECONDS = 5;

    private final int status;
    private final String code;
    private final String field;
    private final String hint;
    private final long retrySeconds;
    private final List<FieldViolation> violations;

    private HttpError(
            int status, String code, String field, String error, String hint, long retrySeconds) {
        this(status, code, field, error, hint, retrySeconds, List.of());
    }

    private HttpError(
            int status,
            String code,
            String field,
            String error,
            String hint,
            long retrySeconds,
            List<FieldViolation> violations) {
        super(error, null, false, false);
        this.violations = violations;
        this.status = status;
        this.code = code;
        this.field = field;
        this.hint = hint;
        this.retrySeconds = retrySeconds;
    }

    /// What the caller can do about it.
    String hint() {
        return hint;
    }

    static HttpError invalid(String field, String error, String hint) {
        return new HttpError(400, "invalid", field, error, hint, 0);
    }

    /// Fields of a request to the scoring service are invalid.
    static HttpError unprocessable(List<FieldViolation> violations) {
        return new HttpError(
                422,
                "invalid",
                violations.getFirst().field(),
                violations.getFirst().message(),
                "",
                0,
                List.copyOf(violations));
    }

    /// The request is not valid HTTP.
    static HttpError malformed(int status, String what) {
        return new HttpError(
                status,
                "malformed",
                "",
                "the request cannot be read" + (what.isEmpty() ? "" : ": " + what),
                "check the request line, the headers and the length of the body",
                0);
    }

    static HttpError unauthorized() {
        return new HttpError(
                401,
                "unauthorized",
                "",
                "this request needs a valid token",
                "send the header Authorization: Bearer TOKEN; the administrator's is in the file"
                        + " admin-token of the data directory",
                0);
    }

    static HttpError forbidden(String error, String hint) {
        return new HttpError(403, "forbidden", "", error, hint, 0);
    }

    /// Published clients know this message.
    static HttpError unknownJob(String id) {
        return new HttpError(
                404,
                "unknown_job",
                "job_id",
                "Job not found",
                "there is no job " + id + "; list what there is with GET /api/v1/jobs",
                0);
    }

    static HttpError unknown(String what, String id, String listedAt) {
        return new HttpError(
                404,
                "unknown_" + what,
                what + "_id",
                "there is no " + what + " " + id,
                "list what there is with GET " + listedAt,
                0);
    }

    static HttpError noRoute(String method, String path) {
        return new HttpError(
                404,
                "unknown_route",
                "",
                "there is no route " + method + " " + path,
                "GET /openapi.json describes all routes",
                0);
    }

    static HttpError wrongMethod(String method, String path, List<String> others) {
        return new HttpError(
                405,
                "method_not_allowed",
                "",
                path + " does not take " + method,
                "it takes " + String.join(", ", others),
                0);
    }

    static HttpError tooLarge(long most) {
        return new HttpError(
                413,
                "too_large",
                "",
                "the body is larger than " + most + " bytes",
                "send less, or in parts as gpu-cli model --import does, or raise"
                        + " api.max_request_kb",
                0);
    }

    static HttpError tooFast(long seconds) {
        return new HttpError(
                429,
                "rate_limited",
                "",
                "too many requests from this caller",
                "retry after the time in Retry-After",
                seconds);
    }

    /// Only one may run at a time, and another one is running.
    static HttpError busy(String error, String hint) {
        return new HttpError(429, "busy", "", error, hint, QUEUE_FULL_SECONDS);
    }

    static HttpError notReady(String error) {
        return notReady(error, "retry in a moment; /health says more");
    }

    static HttpError notReady(String error, String hint) {
        return new HttpError(503, "not_ready", "", error, hint, 1);
    }

    static HttpError broken() {
        return new HttpError(
                500,
                "internal",
                "",
                "the server failed while it answered this request",
                "the server's log says more",
                0);
    }

    /// The status is that of the first problem; the message lists all.
    static HttpError of(List<Problem> problems) {
        return of(problems, false);
    }

    /// @param body whether the request body is invalid; published clients recognise such a message
    ///        by its beginning
    static HttpError of(List<Problem> problems, boolean body) {
        Problem first = problems.getFirst();
        int status =
                switch (first.code()) {
                    case INVALID, UNKNOWN_POLICY -> 400;
                    case UNKNOWN_TENANT,
                            UNKNOWN_JOB,
                            UNKNOWN_NODE,
                            UNKNOWN_POOL,
                            UNKNOWN_MODEL,
                            UNKNOWN_BINDING,
                            UNKNOWN_AGENT_CLASS,
                            UNKNOWN_REGION ->
                            404;
                    case EXISTS, WRONG_STATE, KEY_REUSED -> 409;
                    case QUOTA -> 403;
                    case QUEUE_FULL -> 429;
                };
        String words = String.join("; ", problems.stream().map(Problem::message).toList());
        return new HttpError(
                status,
                first.code().name().toLowerCase(Locale.ROOT),
                first.field(),
                body && first.code() == Problem.Code.INVALID
                        ? "Invalid request body: " + words
                        : words,
                first.hint(),
                status == 429 ? QUEUE_FULL_SECONDS : 0);
    }

    int status() {
        return status;
    }

    /// Seconds after which to retry; 0 if a retry will not help.
    long retrySeconds() {
        return retrySeconds;
    }

    /// In the form of the scoring service: `{"detail": …}`.
    JsonOutput detail() {
        var out = new JsonOutput().object();
        if (violations.isEmpty()) {
            return out.field("detail", status == 500 ? BROKEN : String.valueOf(getMessage()))
                    .endObject();
        }
        out.name("detail").array();
        for (FieldViolation fieldViolation : violations) {
            out.object().field("type", fieldViolation.type()).name("loc").array().value("body");
            if (!fieldViolation.field().isEmpty()) {
                out.value(fieldViolation.field());
            }
            if (fieldViolation.index() >= 0) {
                out.value(fieldViolation.index());
            }
            out.endArray().field("msg", fieldViolation.message()).endObject();
        }
        return out.endArray().endObject();
    }

    JsonOutput json() {
        var out = new JsonOutput().object().field("error", String.valueOf(getMessage()));
        out.field("code", code);
        if (!field.isEmpty()) {
            out.field("field", field);
        }
        if (!hint.isEmpty()) {
            out.field("hint", hint);
        }
        return out.endObject();
    }
}
