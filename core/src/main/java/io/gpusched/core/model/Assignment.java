package io.gpusched.core.model;

import java.util.List;

/// Everything a node should be running: a whole state, not a change, so that sending it again, or
/// only the last of many, does no harm. What is not in it must not run.
///
/// @param revision the batch that made it; a node ignores an older one than it has seen
public record Assignment(NodeId node, long term, long revision, List<Task> tasks) {
    public Assignment {
        tasks = List.copyOf(tasks);
    }
}
