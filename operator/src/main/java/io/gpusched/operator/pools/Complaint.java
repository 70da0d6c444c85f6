package io.gpusched.operator.pools;

/// Why an object cannot be what it says, for the person who wrote it.
///
/// @param field the path of the field; empty where none is wrong by itself
/// @param hint what to do about it; may be empty
record Complaint(String field, String message, String hint) {
    static Complaint of(ServerFault fault) {
        return new Complaint(fault.field(), String.valueOf(fault.getMessage()), fault.hint());
    }

    /// One line with all of it. The field is not repeated if the message begins with it.
    String text() {
        String named =
                field.isEmpty() || message.contains(field) ? message : field + ": " + message;
        return hint.isEmpty() ? named : named + "; " + hint;
    }
}
