package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A rule that may hold a job back independently of the nodes: quota, hours, a budget.
public interface Gate {
    @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now);

    /// Whether it treats jobs differently by how long they may or will run.
    default boolean goesByLength() {
        return false;
    }
}
