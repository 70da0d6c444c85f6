package io.gpusched.core.model;

/// Capacity of a node used by somebody we do not schedule.
public record Foreign(String id, Slot slot) {}
