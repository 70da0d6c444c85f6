package io.gpusched.core.queue;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// Waiting jobs that count only from a later time on, by that time.
///
/// A job that leaves, or is postponed again, keeps its old entry until the time of that entry.
final class PostponedJobs {
    private final JobsByNumber table;
    private final ToLongFunction<Job> due;
    private final KeyHeap byTime = new KeyHeap();

    /// @param due from when on a job counts, in microseconds
    PostponedJobs(JobsByNumber table, ToLongFunction<Job> due) {
        this.table = table;
        this.due = due;
    }

    /// From when on the job may be tried, in microseconds; [Long#MIN_VALUE] for a job that may be
    /// tried at any time.
    static long dueAt(Job job) {
        return job.phase() instanceof Phase.Waiting waiting && waiting.notBefore() != null
                ? Instants.micros(waiting.notBefore())
                : Long.MIN_VALUE;
    }

    void add(Job job) {
        byTime.add(due.applyAsLong(job), job.id().number());
    }

    /// Removes all entries up to `micros`, and visits the jobs that were due then.
    void takeDue(long micros, Consumer<Job> visitor) {
        while (!byTime.isEmpty() && byTime.firstKey() <= micros) {
            Job job = table.job(byTime.firstNumber());
            long expected = byTime.firstKey();
            byTime.removeFirst();
            if (job != null && due.applyAsLong(job) == expected) {
                visitor.accept(job);
            }
        }
    }

    /// The first time in microseconds; [Long#MAX_VALUE] when no job is postponed.
    long nextDue() {
        return byTime.isEmpty() ? Long.MAX_VALUE : byTime.firstKey();
    }

    void clear() {
        byTime.clear();
    }
}
