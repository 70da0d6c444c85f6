package io.gpusched.core.pool;

/// Whether a node holds a model.
public enum CacheState {
    /// The node loads it ahead of need.
    LOADING,
    /// The node has it on its disk or in its memory.
    CACHED,
    /// The node no longer has it.
    EVICTED
}
