package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.policy.Stay;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Stops nobody.
public final class Nobody implements Preemptor {
    private final Stay why;

    /// By a policy that knows no preemption.
    public Nobody() {
        this(Stay.BY_POLICY);
    }

    private Nobody(Stay why) {
        this.why = why;
    }

    /// Preemption switched off.
    public static Nobody switchedOff() {
        return new Nobody(Stay.SWITCHED_OFF);
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        return List.of();
    }

    @Override
    public Stay stay(Job running, Job job, ClusterView cluster, Instant now) {
        return running.priority() < job.priority() ? why : Stay.NOT_BELOW;
    }
}
