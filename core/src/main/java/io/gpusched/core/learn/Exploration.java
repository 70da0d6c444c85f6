package io.gpusched.core.learn;

/// Counts choices, and says which of them may be made to learn something.
public interface Exploration {
    /// Counts one more choice. True when it wants to explore and still may.
    boolean decide(boolean wants);
}
