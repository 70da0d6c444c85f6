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

/// Rounds, as the published simulator has them: whoever comes first in the order runs as long as
/// GPUs are left by number, and everybody else stops, whether or not that leaves room on one node.
///
///     2 nodes of 2 GPUs, each with a short and a long job of 1; a shorter job of 2 comes
///       both long jobs stop, 1 GPU is free on each node, and the new job still waits
///
/// It wastes GPUs, so it is not a policy of the core, whose own rule stops nobody in vain
/// ([io.gpusched.core.policy.preempt.OrderPreemptor]).
final class RoundScheduler implements Gate, Preemptor {
    /// Where a job stands.
    private static final class QueueEntry {
        private final JobId id;
        private Job job;
        private long key;
        private boolean waits;

        /// Grows with each time anybody began to wait or to run.
        private long since = -1;

        /// Its place in the line of the last round.
        private int place = Integer.MAX_VALUE;

        /// The last round in which it was here.
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

    /// Kept from round to round: sorting what is nearly sorted costs one look at each.
    private final List<QueueEntry> line = new ArrayList<>();

    /// @param waitingFirst whether, among equals, those who wait come before those who run
    RoundScheduler(PreemptiveOrder order, int gpus, boolean waitingFirst) {
        this.order = order;
        this.gpus = gpus;
        this.byKey =
                Comparator.comparingLong((QueueEntry one) -> one.key)
                        .thenComparing(one -> one.waits != waitingFirst)
                        .thenComparingLong(one -> one.since);
    }

    /// Says who has come and not ended; read at the beginning of every round.
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

    /// Makes the line all who are here, by key; among equals as they came to where they are, those
    /// who run and those who wait apart.
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

    /// Nobody starts before those who stop have left: places are given out in order then.
    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        return clearing || !chosen.contains(job.id()) ? NOT_CHOSEN : null;
    }

    /// It chooses job by job, and how long they run is what tells jobs of this trace apart.
    @Override
    public boolean goesByLength() {
        return true;
    }

    /// Rounds are the only reason to stop.
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
