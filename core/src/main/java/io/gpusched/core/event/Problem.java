package io.gpusched.core.event;

/// One reason why the cell rejected a command, with a hint what to do about it.
///
/// @param field the field of the request that is wrong, or empty
public record Problem(Code code, String field, String message, String hint) {
    /// The kinds of rejection; REST and gRPC map them to their own status codes.
    public enum Code {
        INVALID,
        UNKNOWN_TENANT,
        UNKNOWN_JOB,
        UNKNOWN_NODE,
        UNKNOWN_POLICY,
        UNKNOWN_POOL,
        UNKNOWN_MODEL,
        UNKNOWN_BINDING,
        UNKNOWN_AGENT_CLASS,
        UNKNOWN_REGION,
        EXISTS,
        WRONG_STATE,
        KEY_REUSED,
        QUOTA,
        QUEUE_FULL
    }
}
