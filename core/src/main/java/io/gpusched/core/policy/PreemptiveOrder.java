package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// An order by which work that runs makes way for work that waits, if it comes later.
///
/// No two jobs may push each other out in turn for ever. So, while a job runs, its key may fall as
/// it likes but rise only a bounded number of times; and a job that was stopped waits under a key
/// that is no smaller than the one it was stopped with.
public interface PreemptiveOrder extends QueueOrder {
    /// Where the job, which holds capacity, stands now.
    long runningKey(Job job, Instant now);

    /// When the key of the job, which holds capacity, rises next by itself, or some time before;
    /// null when it never does.
    @Nullable Instant rises(Job job, Instant now);
}
