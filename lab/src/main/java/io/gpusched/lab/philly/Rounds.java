package io.gpusched.lab.philly;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.Room;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Rounds, as the published simulator has them: whoever comes first in the order runs as long as
/// GPUs are left by number, and everybody else stops, whether or not that leaves room on one node.
///
///     2 nodes of 2 GPUs, each with a short and a long job of 1; a shorter job of 2 comes
///       both long jobs stop, 1 GPU is free on each node, and the new job still waits
///
/// It wastes GPUs, so it is not a policy of the core, whose own rule stops nobody in vain
/// ([io.gpusched.core.policy.preempt.LastFirst]).
final class Rounds implements Gate, Preemptor {
    private record Standing(Job job, long key) {}

    private static final Refusal NOT_CHOSEN =
            Refusal.untilCapacity("round", "others come first and use all GPUs by number");

    private final PreemptiveOrder order;
    private final int gpus;
    private final Set<JobId> chosen = new HashSet<>();
    private final boolean waitingFirst;
    private final Set<JobId> waiting = new LinkedHashSet<>();
    private final Set<JobId> running = new LinkedHashSet<>();
    private final Map<JobId, Integer> before = new HashMap<>();
    private Iterable<JobId> present = List.of();
    private boolean clearing;

    /// @param waitingFirst whether, among equals, those who wait come before those who run
    Rounds(PreemptiveOrder order, int gpus, boolean waitingFirst) {
        this.order = order;
        this.gpus = gpus;
        this.waitingFirst = waitingFirst;
    }

    /// Says who has come and not ended; read at the beginning of every round.
    void among(Iterable<JobId> jobs) {
        present = jobs;
    }

    @Override
    public List<Job> outOfTurn(ClusterView cluster, Instant now) {
        List<Standing> line = line(cluster, now);
        chosen.clear();
        var stop = new ArrayList<Job>();
        long left = gpus * 1000L;
        for (Standing one : line) {
            long wants = one.job.spec().milliGpus();
            if (wants <= left) {
                left -= wants;
                chosen.add(one.job.id());
            } else if (!one.job.waiting()) {
                stop.add(one.job);
            }
        }
        clearing = !stop.isEmpty();
        return stop;
    }

    /// All who are here, by key; among equals as they came to where they are, those who run and
    /// those who wait apart.
    private List<Standing> line(ClusterView cluster, Instant now) {
        var here = new LinkedHashMap<JobId, Standing>();
        for (JobId id : present) {
            Job job = cluster.job(id);
            boolean waits = job != null && job.waiting();
            boolean runs =
                    job != null
                            && job.phase().run() != null
                            && !(job.phase() instanceof Phase.Stopping);
            if (job != null && (waits || runs)) {
                here.put(
                        id,
                        new Standing(job, waits ? order.key(job) : order.runningKey(job, now)));
            }
        }
        settle(waiting, here, true);
        settle(running, here, false);
        var line = new ArrayList<Standing>();
        (waitingFirst ? waiting : running).forEach(id -> line.add(standing(here, id)));
        (waitingFirst ? running : waiting).forEach(id -> line.add(standing(here, id)));
        line.sort(Comparator.comparingLong(Standing::key));
        before.clear();
        line.forEach(one -> before.put(one.job.id(), before.size()));
        return line;
    }

    /// Takes out who is no longer among them, and adds who has come: as they stood in the last
    /// round, the new ones last.
    private void settle(
            Set<JobId> among, Map<JobId, Standing> here, boolean areWaiting) {
        among.removeIf(
                id -> !here.containsKey(id) || standing(here, id).job.waiting() != areWaiting);
        var newcomers = new ArrayList<JobId>();
        here.forEach(
                (id, one) -> {
                    if (one.job.waiting() == areWaiting && !among.contains(id)) {
                        newcomers.add(id);
                    }
                });
        newcomers.sort(
                Comparator.comparingInt(id -> before.getOrDefault(id, Integer.MAX_VALUE)));
        among.addAll(newcomers);
    }

    private static Standing standing(Map<JobId, Standing> here, JobId id) {
        return Objects.requireNonNull(here.get(id));
    }

    /// Nobody starts before those who stop have left: places are given out in order then.
    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        return clearing || !chosen.contains(job.id()) ? NOT_CHOSEN : null;
    }

    /// Rounds are the only reason to stop.
    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        return List.of();
    }
}
