package io.gpusched.core.learn;

/// Counts score requests and decides which of them may be answered by exploration.
public interface Exploration {
    /// Counts one more request. True when it wants to explore and is still allowed to.
    boolean decide(boolean wants);
}
