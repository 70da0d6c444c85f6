package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/// The work that would be repeated if a job were preempted: what it did since its last checkpoint,
/// or all of its run where it writes none. Jobs do not report checkpoints to the scheduler, so jobs
/// that write them are assumed to do so at a fixed interval, counted from the start of the run.
///
/// @param every the interval; zero when work is saved at the moment of stopping
public record LostWork(Duration every) {
    /// In milli-GPUs times seconds.
    public long milliGpuSeconds(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        if (started == null) {
            return 0;
        }
        Duration lost = job.spec().onLoss().lost(Duration.between(started, now), every);
        return job.spec().milliGpus() * lost.toSeconds();
    }

    /// The least important first and, among equals, those that lose the least work.
    Comparator<Job> leastFirst(Instant now) {
        return Comparator.comparingInt(Job::priority)
                .thenComparingLong(other -> milliGpuSeconds(other, now))
                .thenComparing(Job::id, Comparator.reverseOrder());
    }
}
