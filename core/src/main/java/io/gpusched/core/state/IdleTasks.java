package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Which tasks of present runs do not use their GPUs, and since when. Few of them are ever here.
final class IdleTasks {
    private final SequencedMap<JobId, SequencedMap<Integer, IdleTask>> byJob = new TreeMap<>();
    private long digest;

    void changed(Event.TaskIdle event) {
        JobId job = event.attempt().job();
        var ranks = byJob.computeIfAbsent(job, id -> new TreeMap<>());
        IdleTask before = ranks.remove(event.rank());
        digest ^= before == null ? 0 : fingerprint(before);
        Instant since = event.since();
        if (since != null) {
            put(new IdleTask(event.attempt(), event.rank(), since));
        } else if (ranks.isEmpty()) {
            byJob.remove(job);
        }
    }

    void put(IdleTask task) {
        digest ^= fingerprint(task);
        byJob.computeIfAbsent(task.attempt().job(), id -> new TreeMap<>()).put(task.rank(), task);
    }

    /// The job's run is over.
    void forget(JobId job) {
        var ranks = byJob.remove(job);
        if (ranks != null) {
            ranks.values().forEach(task -> digest ^= fingerprint(task));
        }
    }

    @Nullable IdleTask find(AttemptId attempt, int rank) {
        var ranks = byJob.get(attempt.job());
        return ranks == null ? null : ranks.get(rank);
    }

    /// By job and rank.
    List<IdleTask> all() {
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
