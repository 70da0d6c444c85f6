package io.gpusched.core.model;

import java.time.Instant;

/// A job is not placed on the node before `until`, because the node refused to start it.
///
/// @param why what the node said
public record Avoidance(NodeId node, Instant until, String why) {
    private static final int LONGEST = 200;

    public Avoidance {
        why = why.length() <= LONGEST ? why : why.substring(0, LONGEST);
    }
}
