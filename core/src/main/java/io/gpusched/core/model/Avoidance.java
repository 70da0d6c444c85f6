package io.gpusched.core.model;

import java.time.Instant;

/// The scheduler does not place a job on the node before `until`, because the node refused to start
/// it.
///
/// @param why the reason that the node gave
public record Avoidance(NodeId node, Instant until, String why) {
    private static final int LONGEST = 200;

    public Avoidance {
        why = why.length() <= LONGEST ? why : why.substring(0, LONGEST);
    }
}
