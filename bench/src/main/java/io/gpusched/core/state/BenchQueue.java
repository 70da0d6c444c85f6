package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.queue.WaitQueue;

import java.util.Objects;

/// The ledger's queue of waiting jobs with its job table, and nothing else of the ledger: it
/// measures the cost of the queue, alone and with the table.
public final class BenchQueue {
    private final JobTable table = new JobTable();
    private final WaitQueue waitQueue;

    public BenchQueue(QueueOrder order) {
        this.waitQueue = new WaitQueue(table, order::key);
    }

    /// Records a job without enqueueing it.
    public void record(Job job) {
        table.put(job);
    }

    /// Enqueues a recorded job.
    public void add(Job job) {
        waitQueue.add(job);
    }

    /// Dequeues the next job; returns its number.
    public long takeFirst() {
        long number = Objects.requireNonNull(waitQueue.first()).head();
        waitQueue.remove(number);
        return number;
    }

    /// Records and enqueues a job.
    public void enqueue(Job job) {
        record(job);
        add(job);
    }

    /// Dequeues the next job and records that it is `starting`.
    public Job dequeue(Phase.Starting starting) {
        Job job = Objects.requireNonNull(table.job(takeFirst()));
        table.put(job.started(starting));
        return job;
    }

    /// Forgets a dequeued job; in the ledger this happens much later.
    public void forget(long number) {
        table.remove(number);
    }

    public int classes() {
        return waitQueue.classes();
    }
}
