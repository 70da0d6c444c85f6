package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.List;

/// Never preempts a job.
public final class NoPreemption implements Preemptor {
    private final PreemptionVerdict why;

    /// For a policy without preemption.
    public NoPreemption() {
        this(PreemptionVerdict.BY_POLICY);
    }

    private NoPreemption(PreemptionVerdict why) {
        this.why = why;
    }

    /// For a policy whose preemption is disabled.
    public static NoPreemption switchedOff() {
        return new NoPreemption(PreemptionVerdict.SWITCHED_OFF);
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        return List.of();
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        return running.priority() < job.priority() ? why : PreemptionVerdict.NOT_BELOW;
    }
}
