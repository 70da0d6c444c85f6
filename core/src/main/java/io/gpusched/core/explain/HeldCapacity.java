package io.gpusched.core.explain;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// The capacity that one job holds and another job needs.
///
/// @param milliGpus held on nodes that the other job could use, in thousandths of GPUs
/// @param milliCpu likewise, in thousandths of cores
/// @param expectedEnd when the job is expected to release them, at the latest
/// @param assumed whether that end is a guess, because the job has no time limit
/// @param promised whether the capacity is reserved for the job, which does not run yet
/// @param preemptible whether its tenant allows preemption of its jobs
public record HeldCapacity(
        JobId job,
        TenantId tenant,
        int priority,
        long milliGpus,
        long milliCpu,
        Instant expectedEnd,
        boolean assumed,
        boolean promised,
        boolean preemptible) {}
