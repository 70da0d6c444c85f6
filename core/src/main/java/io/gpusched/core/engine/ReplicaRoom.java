package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;
import io.gpusched.core.place.ReservationPlanner;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.scale.ComingCapacity;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Counts how many more replicas, or other equal jobs, could be placed now, without preemption, and
/// tells when capacity for further ones comes.
final class ReplicaRoom {
    /// So many ends of running jobs are tried at most to find when capacity comes.
    static final int MOST_ENDS = 256;

    private final ClusterState state;
    private final Placer placer;
    private final Policy policy;
    private final Instant now;

    ReplicaRoom(ClusterState state, NodeSearch nodeSearch, Policy policy, Instant now) {
        this.state = state;
        this.placer = new Placer(state, nodeSearch);
        this.policy = policy;
        this.now = now;
    }

    /// @param most it counts no further
    int count(JobSpec spec, int most) {
        if (most <= 0 || isHeld(job(spec))) {
            return 0;
        }
        return places(spec, most, JobSpec.WITHOUT_END);
    }

    /// The same for several kinds of jobs, of which the first are placed first.
    int[] counts(List<JobSpec> specs, int[] most) {
        var counts = new int[specs.size()];
        try (Trial trial = state.trial()) {
            for (int i = 0; i < counts.length; i++) {
                Job job = job(specs.get(i));
                boolean held = isHeld(job);
                CapacityView view = view(job, JobSpec.WITHOUT_END);
                counts[i] = held ? 0 : place(job, view, most[i], trial);
            }
        }
        return counts;
    }

    private boolean isHeld(Job job) {
        for (Gate gate : policy.gates()) {
            if (gate.refuse(job, state, now) != null) {
                return true;
            }
        }
        return false;
    }

    /// When so many equal jobs can be placed.
    ///
    /// @param warm whether the pool has all that it needs, so that no job is preempted
    ComingCapacity coming(Job job, int missing, boolean warm) {
        if (missing <= 0 || isHeld(job)) {
            return ComingCapacity.now(missing, 0);
        }
        CapacityView view = view(job, JobSpec.WITHOUT_END);
        try (Trial trial = state.trial()) {
            int placed = place(job, view, missing, trial);
            boolean preempts =
                    placed < missing
                            && !warm
                            && PreemptionTrial.find(job, view, policy.preemptor(), placer, now)
                                    != null;
            if (placed == missing || preempts) {
                return new ComingCapacity(missing, placed, preempts, List.of());
            }
            var planner = new ReservationPlanner(state, placer);
            List<ComingCapacity.LaterPlace> later =
                    planner.starts(job, view, missing - placed, MOST_ENDS, now).stream()
                            .map(start -> new ComingCapacity.LaterPlace(start.at(), start.after()))
                            .toList();
            return new ComingCapacity(missing, placed, false, later);
        }
    }

    private CapacityView view(Job job, Duration length) {
        return CapacityView.of(state, job.id(), now.plus(length), false);
    }

    private Job job(JobSpec spec) {
        return Job.submitted(state.nextJob(), spec, now);
    }

    /// How many such jobs fit on the nodes, whatever gates say.
    ///
    /// @param most it counts no further
    /// @param length how long such a job is planned to run
    int places(JobSpec spec, int most, Duration length) {
        Job job = job(spec);
        try (Trial trial = state.trial()) {
            return place(job, view(job, length), most, trial);
        }
    }

    private int place(Job job, CapacityView view, int most, Trial trial) {
        int count = 0;
        Placer.Found found = most > 0 ? placer.find(job, view) : null;
        while (found != null && count < most) {
            found.placement().slots().forEach(trial::place);
            count++;
            found = count < most ? placer.find(job, view) : null;
        }
        return count;
    }
}
