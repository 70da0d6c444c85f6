package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Preemption switched off.
public final class Nobody implements Preemptor {
    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        return List.of();
    }
}
