package io.gpusched.core.model;

/// What a node should do with a model: load it into its cache and keep it, or remove it. A model
/// that is not named is not loaded; a complete copy of it stays.
///
/// @param uri where it is loaded from
/// @param bytes its size; 0 where it is not known
/// @param remove whether the node should remove it
public record ModelOrder(String model, String uri, long bytes, boolean remove) {}
