package io.gpusched.core.pool;

/// A model in the cache of a node, as the node reports it.
///
/// @param bytes what it takes of the cache; 0 while it is not complete
/// @param problem why it could not be loaded; empty where it could
public record HeldModel(String model, CacheState state, long bytes, String problem) {}
