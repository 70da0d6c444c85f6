package io.gpusched.wire.request;

/// One invalid field of a request to the scoring service, in the error format that its clients
/// know.
///
/// @param field empty for the whole body
/// @param index index of the invalid item; -1 for the field itself
/// @param type error code for programs: `missing`, `float_parsing`
public record FieldViolation(String field, int index, String type, String message) {
    static FieldViolation of(String field, String type, String message) {
        return new FieldViolation(field, -1, type, message);
    }

    /// The body is not JSON.
    public static FieldViolation malformed(String says) {
        return of("", "json_invalid", "JSON decode error: " + says);
    }
}
