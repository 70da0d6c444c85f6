package io.gpusched.core.model;

/// A wish, or a demand, that all tasks of a job share one value of a level: node, rack, block,
/// zone.
public record Proximity(String level, boolean required) {
    public static final String NODE = "node";
}
