package io.gpusched.core.tenants;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;

/// One tenant's share of the cluster over time, and the reasons. Shares are fractions of the whole
/// cluster, from 0 to 1, of the resource of which it has the largest fraction.
///
/// @param depth how many ancestors it has
/// @param adjusted the effective weight; `reason` says why it differs from the given one
/// @param usage what it holds, with its descendants
/// @param now its share of present usage
/// @param lately its share of decayed average usage
/// @param target the share by the given weights; `effective` by the adjusted ones
/// @param turn 1 for the tenant that goes first among those with waiting jobs, 2 for the next; 0
///        where none of its own jobs wait or tenants do not take turns
public record TenantShare(
        Tenant tenant,
        int depth,
        double adjusted,
        String reason,
        Usage usage,
        double now,
        double lately,
        double target,
        double effective,
        Status status,
        int turn) {
    /// A tenant's usage compared with its guarantee and its weight.
    public enum Status {
        /// It holds less than it is guaranteed.
        BELOW_GUARANTEE,
        /// It has a guarantee and holds more: other tenants may reclaim the rest.
        BORROWING,
        /// It has had more than its weight entitles it to.
        OVER,
        /// It has had at most what its weight entitles it to.
        UNDER,
        /// It holds nothing, and its recent usage is negligible.
        IDLE
    }

    /// Thousandths of GPUs that it holds beyond its guarantee: tenants below theirs may reclaim
    /// them.
    public long borrowedMilliGpus() {
        return Math.max(0, usage.milliGpus() - tenant.guaranteed().milliGpus());
    }

    /// What decides the turn: the mean of the present and the recent share.
    public double share() {
        return (now + lately) / 2;
    }
}
