package io.gpusched.lab.philly;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Schedules in rounds, as the published simulator does: in the order of the policy, jobs run as
/// long as the number of GPUs suffices, and all other jobs stop, whether or not that frees enough
/// GPUs on one node.
///
///     2 nodes of 2 GPUs, each with a short and a long job of 1; a shorter job of 2 comes
///       both long jobs stop, 1 GPU is free on each node, and the new job still waits
///
/// This wastes GPUs, so it is not a policy of the core, which preempts only jobs whose GPUs the
/// next job needs ([io.gpusched.core.policy.preempt.OrderPreemptor]).
final class RoundScheduler implements Gate, Preemptor {
    /// The position of a job in the queue.
    private static final class QueueEntry {
        private final JobId id;
        private Job job;
        private long key;
        private boolean waits;

        /// Grows each time a job begins to wait or to run.
        private long since = -1;

        /// Its position in the queue of the last round.
        private int place = Integer.MAX_VALUE;

        /// The last round in which the job was present.
        private long round = -1;

        QueueEntry(JobId id, Job job) {
            this.id = id;
            this.job = job;
        }
    }

    private static final Refusal NOT_CHOSEN =
            Refusal.untilCapacity("round", "others come first and use all GPUs by number");

    private final PreemptiveOrder order;
    private final int gpus;
    private final Set<JobId> chosen = new HashSet<>();
    private final Comparator<QueueEntry> byKey;
    private final Map<JobId, QueueEntry> standings = new HashMap<>();
    private Iterable<JobId> present = List.of();
    private boolean clearing;
    private long moves;
    private long rounds;

    /// Kept between rounds, because sorting a nearly sorted list is cheap.
    private final List<QueueEntry> line = new ArrayList<>();

    /// @param waitingFirst whether waiting jobs precede running jobs of the same key
    RoundScheduler(PreemptiveOrder order, int gpus, boolean waitingFirst) {
        this.order = order;
        this.gpus = gpus;
        this.byKey =
                Comparator.comparingLong((QueueEntry one) -> one.key)
                        .thenComparing(one -> one.waits != waitingFirst)
                        .thenComparingLong(one -> one.since);
    }

    /// Sets the source of the present jobs, read at the beginning of every round.
    void among(Iterable<JobId> jobs) {
        present = jobs;
    }

    @Override
    public List<Job> outOfTurn(ClusterView cluster, Instant now) {
        lineUp(cluster, now);
        chosen.clear();
        var stop = new ArrayList<Job>();
        long left = gpus * 1000L;
        for (QueueEntry one : line) {
            long wants = one.job.spec().milliGpus();
            if (wants <= left) {
                left -= wants;
                chosen.add(one.id);
            } else if (!one.waits) {
                stop.add(one.job);
            }
        }
        clearing = !stop.isEmpty();
        return stop;
    }

    /// Sorts all present jobs by key; among equal keys running and waiting jobs are separate, each
    /// in the order in which they entered their state.
    private void lineUp(ClusterView cluster, Instant now) {
        rounds++;
        var moved = new ArrayList<QueueEntry>();
        for (JobId id : present) {
            Job job = cluster.job(id);
            if (job != null && (job.waiting() || isUnderWay(job))) {
                QueueEntry one = standings.computeIfAbsent(id, its -> new QueueEntry(its, job));
                if (one.since < 0 || one.waits != job.waiting()) {
                    moved.add(one);
                }
                one.job = job;
                one.waits = job.waiting();
                one.key = one.waits ? order.key(job) : order.runningKey(job, now);
                if (one.round != rounds - 1) {
                    line.add(one);
                }
                one.round = rounds;
            }
        }
        line.removeIf(one -> one.round != rounds);
        moved.sort(Comparator.comparingInt(one -> one.place));
        moved.forEach(one -> one.since = moves++);
        line.sort(byKey);
        for (int i = 0; i < line.size(); i++) {
            line.get(i).place = i;
        }
    }

    private static boolean isUnderWay(Job job) {
        return job.phase().run() != null && !(job.phase() instanceof Phase.Stopping);
    }

    /// No job starts before all stopped jobs have released their GPUs; then placements are made in
    /// order.
    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        return clearing || !chosen.contains(job.id()) ? NOT_CHOSEN : null;
    }

    /// The gate decides for each job, because jobs of this trace differ in their runtimes.
    @Override
    public boolean goesByLength() {
        return true;
    }

    /// Jobs are stopped only by rounds.
    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        return List.of();
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        return running.priority() < job.priority()
                ? PreemptionVerdict.BY_POLICY
                : PreemptionVerdict.NOT_BELOW;
    }
}
