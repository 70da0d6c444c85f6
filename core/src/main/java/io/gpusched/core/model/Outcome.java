package io.gpusched.core.model;

/// How a job ended.
public record Outcome(Result result, int exitCode, String reason) {
    public enum Result {
        COMPLETED,
        FAILED,
        CANCELLED
    }
}
