package io.gpusched.core.policy.gate;

import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Holds a job with a deadline back while waiting for spot capacity is cheaper than running.
public final class DeadlineGate implements Gate {
    private static final Refusal WAITS =
            new Refusal(
                    "deadline",
                    "it waits for spot capacity, which is cheaper and leaves time until its"
                            + " deadline",
                    List.of(
                            new RetryCondition.Changed(
                                    "spot capacity is free, or its slack is used up")));

    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        return job.spec().capacity().kind() == CapacityRule.Kind.NONE ? WAITS : null;
    }
}
