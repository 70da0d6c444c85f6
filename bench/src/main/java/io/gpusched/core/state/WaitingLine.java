package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.QueueOrder;

import java.util.Objects;

/// The ledger's own line of waiting jobs with the table it stands on, and nothing else of the
/// ledger: what the queue itself costs.
public final class WaitingLine {
    private final JobTable table = new JobTable();
    private final Waiting waiting;

    public WaitingLine(QueueOrder order) {
        this.waiting = new Waiting(table, order::key);
    }

    /// The job is recorded and stands in line.
    public void enqueue(Job job) {
        table.put(job);
        waiting.add(job);
    }

    /// Takes the job that is next out of the line and records that it is `starting`.
    public Job dequeue(Phase.Starting starting) {
        WaitClass first = Objects.requireNonNull(waiting.first());
        Job job = Objects.requireNonNull(table.job(first.head()));
        waiting.remove(job);
        table.put(job.started(starting));
        return job;
    }

    /// Forgets a job that has left the line; in the ledger this happens much later.
    public void forget(Job job) {
        table.remove(job.id().number());
    }

    public int classes() {
        return waiting.classes();
    }
}
