package io.gpusched.core.queue;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

/// Finds the job with a number; null when there is none. The queue keeps numbers only.
@FunctionalInterface
public interface JobsByNumber {
    @Nullable Job job(long number);
}
