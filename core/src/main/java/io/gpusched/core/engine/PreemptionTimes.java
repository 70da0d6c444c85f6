package io.gpusched.core.engine;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.preempt.PriorityPreemptor;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// When time alone lets running jobs be preempted that are not preempted now. Computed once per
/// cycle, when first asked for.
final class PreemptionTimes {
    /// The longest grace period that a job may ask for.
    private static final Duration LONGEST_GRACE = Duration.ofDays(1);

    private final ClusterState state;
    private final Policy policy;
    private final Instant now;
    private boolean sought;
    private @Nullable Instant first;

    PreemptionTimes(ClusterState state, Policy policy, Instant now) {
        this.state = state;
        this.policy = policy;
        this.now = now;
    }

    /// The first such time; null when there is none.
    @Nullable Instant first() {
        if (!sought) {
            sought = true;
            first = Instants.earlier(firstSparedIsOver(), firstRise());
        }
        return first;
    }

    /// When the first run that preemption spares because it ends soon is expected to have ended;
    /// null when there is none. If it still runs then, it may be preempted.
    private @Nullable Instant firstSparedIsOver() {
        for (Job job : state.runs().endingIn(now, now.plus(LONGEST_GRACE))) {
            if (PriorityPreemptor.endsSoonAnyway(job, now)) {
                return state.runs().expectedEnd(job);
            }
        }
        return null;
    }

    /// When time alone first moves a running job further back in the order, so that it may be
    /// preempted; null when that never happens.
    private @Nullable Instant firstRise() {
        Instant rises = null;
        if (policy.order() instanceof PreemptiveOrder order) {
            for (Job job : state.runs().byExpectedEnd()) {
                rises = Instants.earlier(rises, order.rises(job, now));
            }
        }
        return rises;
    }
}
