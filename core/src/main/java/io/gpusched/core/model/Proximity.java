package io.gpusched.core.model;

/// A preference or a requirement that all tasks of a job share one domain of a topology level:
/// node, rack, block, zone.
public record Proximity(String level, boolean required) {
    public static final String NODE = "node";
}
