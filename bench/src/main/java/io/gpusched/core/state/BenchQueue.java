package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.queue.WaitQueue;

import java.util.Objects;

/// The ledger's own line of waiting jobs with the table it stands on, and nothing else of the
/// ledger: what the queue itself
/// costs, alone and with the table.
public final class BenchQueue {
    private final JobTable table = new JobTable();
    private final WaitQueue waitQueue;

    public BenchQueue(QueueOrder order) {
        this.waitQueue = new WaitQueue(table, order::key);
    }

    /// The job is recorded, but does not stand in line yet.
    public void record(Job job) {
        table.put(job);
    }

    /// A recorded job stands in line.
    public void add(Job job) {
        waitQueue.add(job);
    }

    /// Takes the job that is next out of the line; its number.
    public long takeFirst() {
        long number = Objects.requireNonNull(waitQueue.first()).head();
        waitQueue.remove(number);
        return number;
    }

    /// The job is recorded and stands in line.
    public void enqueue(Job job) {
        record(job);
        add(job);
    }

    /// Takes the job that is next out of the line and records that it is `starting`.
    public Job dequeue(Phase.Starting starting) {
        Job job = Objects.requireNonNull(table.job(takeFirst()));
        table.put(job.started(starting));
        return job;
    }

    /// Forgets a job that has left the line; in the ledger this happens much later.
    public void forget(long number) {
        table.remove(number);
    }

    public int classes() {
        return waitQueue.classes();
    }
}
