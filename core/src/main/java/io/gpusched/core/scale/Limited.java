package io.gpusched.core.scale;

/// A size after the limits of a pool, and which limit decided.
///
/// @param reason a sentence for people; empty when no limit changed the size
public record Limited(int replicas, Limit limit, String reason) {
    /// What decided the size.
    public enum Limit {
        NONE,
        STABILIZATION,
        UP_STEP,
        DOWN_STEP,
        MAX,
        MIN
    }
}
