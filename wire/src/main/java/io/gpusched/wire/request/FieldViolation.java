package io.gpusched.wire.request;

/// What is wrong with one field of a request, in the words that clients of the scoring service
/// know.
///
/// @param field empty for the body as a whole
/// @param index of an item in it; -1 for the field itself
/// @param type a word for programs: `missing`, `float_parsing`
public record FieldViolation(String field, int index, String type, String message) {
    static FieldViolation of(String field, String type, String message) {
        return new FieldViolation(field, -1, type, message);
    }

    /// The body is no JSON.
    public static FieldViolation malformed(String says) {
        return of("", "json_invalid", "JSON decode error: " + says);
    }
}
