package io.gpusched.core.tenants;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;

/// What one tenant gets of the cluster over time, and why. Shares are parts of the whole cluster,
/// from 0 to 1, of whatever it has the largest part of.
///
/// @param depth how many tenants are above it
/// @param adjusted the weight that counts, and `reason` why it is not the given one
/// @param usage what it holds, with tenants below
/// @param now its share of what is held now
/// @param lately its share of what was held on average, the recent counting more
/// @param target the share that its weights stand for as given, `effective` as adjusted
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
    /// How a tenant stands.
    public enum Status {
        /// It holds less than it is guaranteed.
        BELOW_GUARANTEE,
        /// It has a guarantee and holds more: others may take the rest back.
        BORROWING,
        /// It has had more than its weight stands for.
        OVER,
        /// It has had less than its weight stands for, or just that.
        UNDER,
        /// It holds nothing, and held nothing lately that would still count.
        IDLE
    }

    /// Thousandths of GPUs that it holds beyond its guarantee: those who are below theirs may take
    /// them back.
    public long borrowedMilliGpus() {
        return Math.max(0, usage.milliGpus() - tenant.guaranteed().milliGpus());
    }

    /// What decides whose turn it is: the mean of what is held now and lately.
    public double share() {
        return (now + lately) / 2;
    }
}
