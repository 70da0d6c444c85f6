package io.gpusched.core.model;

/// A MIG slice at its place: the GPU, the first of the seven compute slices, how many, and the
/// profile.
public record MigSlot(int gpu, int first, int size, String profile) {}
