package io.gpusched.operator.kube;

/// Hears what changes in a [ResourceCache], in order, on its one thread. What fails here is a
/// mistake of ours: it ends the cache, which health checks then report.
///
/// @param <T> what the cache keeps of an object
public interface CacheListener<T> {
    void added(T now);

    void modified(T before, T now);

    /// @param last the state that was known last
    void deleted(T last);

    /// The first list is complete: everything that existed has been added.
    default void listed() {}
}
