package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;
import java.time.Instant;

/// WFP3 (Tang and others, CLUSTER 2009): the largest `(waited / time)³ × processors` first, so that
/// no job waits long in relation to its requested time, and large jobs age faster.
///
/// @param asOf until when waiting counts
public record Wfp3Order(Instant asOf) implements QueueOrder {
    @Override
    public String name() {
        return "wfp3";
    }

    @Override
    public QueueOrder at(Instant now) {
        return new Wfp3Order(now);
    }

    @Override
    public long key(Job job) {
        double part = waited(job, asOf) / RequestedWork.seconds(job);
        return RequestedWork.key(-(part * part * part * RequestedWork.processors(job)));
    }

    /// Seconds since the job was submitted.
    static double waited(Job job, Instant asOf) {
        return Math.max(0, Duration.between(job.submitted(), asOf).toMillis() / 1000.0);
    }
}
