package io.gpusched.operator.pods;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A job that was submitted for pods, or is about to be. It belongs to the thread of the queue.
final class QueuedJob {
    private static final int MOST_DOUBLINGS = 6;

    final List<PodKey> pods;

    /// What is submitted; null for a job that an earlier operator submitted.
    @Nullable PodJob request;

    /// The job's id; empty until the scheduler has given one.
    String id = "";

    /// How often the pods were submitted before.
    int attempt;

    /// Calls that failed in a row.
    int failures;

    /// Whether the pods have other plans: the job is to be cancelled, or was.
    boolean dropped;

    /// Whether a request about it is under way.
    boolean calling;

    QueuedJob(List<PodKey> pods) {
        this.pods = List.copyOf(pods);
    }

    boolean isSubmitted() {
        return !id.isEmpty();
    }

    /// Milliseconds until a failed call is repeated.
    long retryMillis() {
        failures++;
        return 1_000L << Math.min(failures - 1, MOST_DOUBLINGS);
    }
}
