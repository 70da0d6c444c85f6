package io.gpusched.core.model;

/// Capacity of a node used by a task that this scheduler does not schedule.
public record ForeignTask(String id, Slot slot) {}
