package io.gpusched.core.model;

/// Capacity of a node used by somebody we do not schedule.
public record ForeignTask(String id, Slot slot) {}
