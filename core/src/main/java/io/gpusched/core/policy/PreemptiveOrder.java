package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A queue order by which a waiting job may preempt running jobs that come after it.
///
/// No two jobs may preempt each other in turn for ever. So, while a job runs, its key may fall
/// freely but rise only a bounded number of times; and a preempted job waits under a key that is no
/// smaller than the one it was preempted with.
public interface PreemptiveOrder extends QueueOrder {
    /// The present key of the job, which holds capacity.
    long runningKey(Job job, Instant now);

    /// When the key of the job, which holds capacity, rises next by itself, or some time before;
    /// null when it never does.
    @Nullable Instant rises(Job job, Instant now);
}
