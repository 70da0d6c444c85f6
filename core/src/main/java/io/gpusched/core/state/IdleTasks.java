package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Tasks of present runs that do not use their GPUs, and since when. Usually only a few.
public final class IdleTasks {
    private final SequencedMap<JobId, SequencedMap<Integer, IdleTask>> byJob = new TreeMap<>();
    private long digest;

    /// Applies an event; most say nothing about idle tasks.
    void hear(Event event) {
        if (event instanceof Event.TaskIdle turn) {
            forget(turn.attempt().job(), turn.rank());
            Instant since = turn.since();
            if (since != null) {
                put(new IdleTask(turn.attempt(), turn.rank(), since));
            }
        } else if (byJob.isEmpty()) {
            return;
        } else if (event instanceof Event.TaskChanged moved && moved.state().ended()) {
            forget(moved.attempt().job(), moved.rank());
        } else if (event instanceof Event.JobRequeued back) {
            forget(back.job());
        } else if (event instanceof Event.JobEnded over) {
            forget(over.job());
        }
    }

    void put(IdleTask task) {
        digest ^= fingerprint(task);
        byJob.computeIfAbsent(task.attempt().job(), id -> new TreeMap<>()).put(task.rank(), task);
    }

    private void forget(JobId job, int rank) {
        var ranks = byJob.get(job);
        IdleTask before = ranks == null ? null : ranks.remove(rank);
        if (ranks != null && before != null) {
            digest ^= fingerprint(before);
            if (ranks.isEmpty()) {
                byJob.remove(job);
            }
        }
    }

    /// Removes the tasks of a job whose run is over.
    private void forget(JobId job) {
        var ranks = byJob.remove(job);
        if (ranks != null) {
            ranks.values().forEach(task -> digest ^= fingerprint(task));
        }
    }

    /// Since when the task is idle; null when it is busy.
    public @Nullable IdleTask find(AttemptId attempt, int rank) {
        var ranks = byJob.get(attempt.job());
        IdleTask task = ranks == null ? null : ranks.get(rank);
        return task != null && task.attempt().equals(attempt) ? task : null;
    }

    /// By job and rank.
    public List<IdleTask> all() {
        var all = new ArrayList<IdleTask>();
        byJob.values().forEach(ranks -> all.addAll(ranks.values()));
        return all;
    }

    long digest() {
        return digest;
    }

    private static long fingerprint(IdleTask task) {
        long hash = Digest.mix(0x1D1E, task.attempt().job().number());
        hash = Digest.mix(hash, task.attempt().number() * 1_000_003L + task.rank());
        return Digest.mix(hash, Instants.micros(task.since()));
    }
}
