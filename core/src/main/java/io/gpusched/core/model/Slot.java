package io.gpusched.core.model;

/// One task's place: the node, the task's role and rank in its job, and what it holds there. Ranks
/// count through all roles of a job, from 0.
public record Slot(NodeId node, int role, int rank, Grant grant, Resources host) {}
