package io.gpusched.core.pool;

/// Whether a node holds a model.
public enum CacheState {
    /// The node loads it ahead of need.
    LOADING,
    /// The node has it on its disk or in its memory.
    CACHED,
    /// The node does not have it.
    EVICTED,
    /// The node could not load it, and will try again.
    FAILED,
    /// The node has it and will remove it.
    EVICTING
}
