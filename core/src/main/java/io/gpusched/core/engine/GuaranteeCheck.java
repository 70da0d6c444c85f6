package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

/// Refuses a tenant whose guarantee exceeds its limit, or whose siblings and itself are guaranteed
/// more together than the limit of their parent.
final class GuaranteeCheck {
    private GuaranteeCheck() {}

    /// The problem of the tenant as given; null if there is none.
    static @Nullable Problem problem(Tenant tenant, ClusterState state) {
        long own = tenant.guaranteed().milliGpus();
        if (own > tenant.limit().milliGpus()) {
            return problem(
                    "guaranteed_gpus",
                    "tenant "
                            + tenant.id()
                            + " is guaranteed "
                            + Plurals.milli(own, "GPU")
                            + " and may have "
                            + gpus(tenant.limit().milliGpus()),
                    tenant.limit().milliGpus());
        }
        long below = sumBelow(tenant.id(), tenant.id(), state);
        if (below > tenant.limit().milliGpus()) {
            return problem(
                    "max_gpus",
                    "tenants below "
                            + tenant.id()
                            + " are guaranteed "
                            + Plurals.milli(below, "GPU")
                            + " together, found a limit of "
                            + gpus(tenant.limit().milliGpus()),
                    below);
        }
        Tenant parent = tenant.parent() == null ? null : state.tenants().find(tenant.parent());
        long limit = parent == null ? Limits.UNLIMITED : parent.limit().milliGpus();
        long left = limit - (parent == null ? 0 : sumBelow(parent.id(), tenant.id(), state));
        if (parent != null && own > left) {
            return problem(
                    "guaranteed_gpus",
                    Plurals.milli(Math.max(0, left), "GPU")
                            + (left == 1000 ? " is" : " are")
                            + " left to guarantee below "
                            + parent.id()
                            + ", which may have "
                            + gpus(limit)
                            + "; found "
                            + gpus(own),
                    Math.max(0, left));
        }
        return null;
    }

    /// The sum of the guarantees of all children of `parent` except `but`.
    private static long sumBelow(TenantId parent, TenantId but, ClusterState state) {
        long sum = 0;
        for (Tenant tenant : state.tenants().all()) {
            if (parent.equals(tenant.parent()) && !tenant.id().equals(but)) {
                sum += tenant.guaranteed().milliGpus();
            }
        }
        return sum;
    }

    private static Problem problem(String field, String message, long nearest) {
        return new Problem(
                Problem.Code.INVALID, field, message, "the nearest that fits is " + gpus(nearest));
    }

    private static String gpus(long milli) {
        if (milli == Limits.UNLIMITED) {
            return "any number";
        }
        return milli % 1000 == 0 ? Long.toString(milli / 1000) : Double.toString(milli / 1000.0);
    }
}
