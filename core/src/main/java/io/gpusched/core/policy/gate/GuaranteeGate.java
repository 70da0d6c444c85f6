package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Where several tenants share a limit, keeps the part that the guarantees of the other tenants
/// still need.
///
///     limit of all 8; A is guaranteed 4 and holds 1; B holds 3
///       B gets 1 more at most: 3 of the limit are kept for A
///
/// Idle GPUs are lent and reclaimed, because preempting a job frees them at once for the job that
/// needs them. A shared limit cannot be reclaimed in this way, so it is not lent.
public final class GuaranteeGate implements Gate {
    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        long needed = job.spec().milliGpus();
        Tenant below = needed == 0 ? null : cluster.tenants().find(job.tenant());
        while (below != null && below.parent() != null) {
            Tenant above = cluster.tenants().find(below.parent());
            if (above != null
                    && !isInside(below, needed, cluster)
                    && lacks(below, above, needed, cluster)) {
                return new Refusal(
                        "guarantee",
                        "the rest of the limit of "
                                + above.id()
                                + " is kept for tenants below their guarantee",
                        List.of(new RetryCondition.OfTenant(above.id())));
            }
            below = above;
        }
        return null;
    }

    /// Whether the tenant may have this much more under its own guarantee.
    private static boolean isInside(Tenant tenant, long needed, ClusterView cluster) {
        return cluster.tenants().usage(tenant.id()).milliGpus() + needed
                <= tenant.guaranteed().milliGpus();
    }

    private static boolean lacks(Tenant below, Tenant above, long needed, ClusterView cluster) {
        long limit = above.limit().milliGpus();
        if (limit == Limits.UNLIMITED) {
            return false;
        }
        long kept = cluster.tenants().keptBeside(below.id());
        return kept > 0 && needed > limit - cluster.tenants().usage(above.id()).milliGpus() - kept;
    }
}
