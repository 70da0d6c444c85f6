package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import java.time.Duration;
import java.time.Instant;

/// Counts how many more replicas, or other equal jobs, could be placed now, without preemption.
final class ReplicaRoom {
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
        Job job = job(spec);
        for (Gate gate : policy.gates()) {
            if (most <= 0 || gate.refuse(job, state, now) != null) {
                return 0;
            }
        }
        return places(spec, most, JobSpec.WITHOUT_END);
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
        var view = CapacityView.of(state, job.id(), now.plus(length), false);
        int count = 0;
        try (Trial trial = state.trial()) {
            Placer.Found found = most > 0 ? placer.find(job, view) : null;
            while (found != null && count < most) {
                found.placement().slots().forEach(trial::place);
                count++;
                found = count < most ? placer.find(job, view) : null;
            }
        }
        return count;
    }
}
