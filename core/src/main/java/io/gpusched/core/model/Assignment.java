package io.gpusched.core.model;

import java.util.List;

/// Everything that a node should be running: a whole state, not a change. It is therefore safe to
/// send one again, or to send only the last of many. A task that is not in it must not run.
///
/// @param models what the node should load into its cache, and what it should remove
/// @param revision the batch that produced it; a node ignores a revision older than its latest
public record Assignment(
        NodeId node, long term, long revision, List<Task> tasks, List<ModelOrder> models) {
    public Assignment {
        tasks = List.copyOf(tasks);
        models = List.copyOf(models);
    }
}
