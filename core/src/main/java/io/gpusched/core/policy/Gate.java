package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// May hold a job back whatever the nodes look like: quota, hours, a budget.
public interface Gate {
    @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now);

    /// Whether it treats jobs differently by how long they may or will run.
    default boolean goesByLength() {
        return false;
    }
}
