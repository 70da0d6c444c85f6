package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Deadlines of runs that are starting or stopping. An alarm is only a hint to look: whoever is
/// asked decides by what the ledger says then, so an alarm too many does no harm.
public final class Alarms {
    /// How long a job may take until all of its tasks run.
    public static final Duration START = Duration.ofMinutes(5);

    /// How long after its grace period a task may take to be gone.
    public static final Duration STOP_MARGIN = Duration.ofSeconds(60);

    private final JobTable jobs;
    private final KeyHeap due = new KeyHeap();

    Alarms(JobTable jobs) {
        this.jobs = jobs;
    }

    /// When the job's present phase has lasted too long; null when it may last for ever.
    public static @Nullable Instant deadline(Job job) {
        return switch (job.phase()) {
            case Phase.Starting starting -> starting.since().plus(START);
            case Phase.Stopping stopping ->
                    stopping.since().plus(job.spec().onLoss().grace()).plus(STOP_MARGIN);
            case Phase.Held held -> null;
            case Phase.Waiting waiting -> null;
            case Phase.Running running -> null;
            case Phase.Ended ended -> null;
        };
    }

    /// @param now alarms that are over by then and no longer true are forgotten, so that a
    ///        follower, who never asks, does not collect them
    void set(Job job, Instant now) {
        Instant deadline = deadline(job);
        if (deadline != null) {
            forgetStale(now);
            due.add(Instants.micros(deadline), job.id().number());
        }
    }

    private void forgetStale(Instant now) {
        while (!due.isEmpty() && due.firstKey() < Instants.micros(now)) {
            Job job = jobs.job(due.firstNumber());
            Instant deadline = job == null ? null : deadline(job);
            if (deadline != null && !deadline.isAfter(now)) {
                return;
            }
            due.removeFirst();
        }
    }

    /// The next job whose deadline has passed; null when there is none. Each alarm rings once.
    public @Nullable Job ring(Instant now) {
        while (!due.isEmpty() && due.firstKey() <= Instants.micros(now)) {
            Job job = jobs.job(due.firstNumber());
            due.removeFirst();
            Instant deadline = job == null ? null : deadline(job);
            if (job != null && deadline != null && !deadline.isAfter(now)) {
                return job;
            }
        }
        return null;
    }

    @Nullable Instant next() {
        return due.isEmpty() ? null : Instants.ofMicros(due.firstKey());
    }
}
