package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Tells whether the replicas of a pool can start again after some ended by themselves.
///
///     a replica ends ──▶ backoff ──▶ one probe starts ──▶ it served, or ran, for a minute: proven
///
/// Replicas that were there before the failure show nothing. Where a source tells of a replica,
/// only its reports prove that it serves ([PoolEntry] notes that); elsewhere its run does.
public final class StartProbes {
    private final JobTable jobs;

    StartProbes(JobTable jobs) {
        this.jobs = jobs;
    }

    /// Replicas that ended by themselves since one has shown that replicas can start.
    public int failures(PoolEntry entry, Instant now) {
        return isProven(entry, now) ? 0 : entry.failures();
    }

    /// Whether a replica that was submitted after the last failure has still to show that it can
    /// serve.
    public boolean isRunning(PoolEntry entry) {
        Instant startAfter = entry.startAfter();
        for (ReplicaStatus status : entry.replicas()) {
            Job job = jobs.job(status.job().number());
            if (job != null && (startAfter == null || !job.submitted().isBefore(startAfter))) {
                boolean shows =
                        switch (status.state(job)) {
                            case WAITING, STARTING -> true;
                            case READY -> !status.served();
                            case DRAINING -> false;
                        };
                if (shows) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a replica of which no source tells ran for a while after the last failure.
    boolean isProven(PoolEntry entry, Instant now) {
        Instant startAfter = entry.startAfter();
        if (startAfter == null || now.isBefore(startAfter.plus(PoolEntry.PROVEN))) {
            return false;
        }
        var told = entry.load().replicasSince(now.minus(entry.pool().scaling().staleAfter()));
        for (ReplicaStatus status : entry.replicas()) {
            Job job = jobs.job(status.job().number());
            Instant started = job == null ? null : started(job.phase());
            if (started != null
                    && !told.containsKey(status.job())
                    && !started.isBefore(startAfter)
                    && Duration.between(started, now).compareTo(PoolEntry.PROVEN) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Instant started(Phase phase) {
        return phase instanceof Phase.Running || phase instanceof Phase.Ended
                ? phase.startedAt()
                : null;
    }
}
