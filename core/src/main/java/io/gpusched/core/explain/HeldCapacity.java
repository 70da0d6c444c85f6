package io.gpusched.core.explain;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// What one job has of what another one needs.
///
/// @param milliGpus held where the other could go, in thousandths of GPUs
/// @param milliCpu likewise, in thousandths of cores
/// @param expectedEnd when it is thought to give them back, at the latest
/// @param assumed whether that end is a guess, because the job has no time limit
/// @param promised whether it does not run yet: the capacity is kept for it
/// @param preemptible whether its tenant allows that its jobs are preempted
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
