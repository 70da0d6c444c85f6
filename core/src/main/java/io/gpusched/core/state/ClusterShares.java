package io.gpusched.core.state;

import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Usage;

/// A tenant's share of the cluster over time: the mean of its present share and its recent share,
/// each the largest fraction of any resource (GPUs, cores or memory).
///
/// Both halves are needed. The present share follows every start within a cycle; the recent share
/// remembers which tenants had more than others while they waited.
final class ClusterShares {
    private final TenantLedger tenantLedger;
    private final NodeLedger nodeLedger;
    private final FairShareSettings rules;

    ClusterShares(TenantLedger tenantLedger, NodeLedger nodeLedger, FairShareSettings rules) {
        this.tenantLedger = tenantLedger;
        this.nodeLedger = nodeLedger;
        this.rules = rules;
    }

    /// The tenant's share of the cluster, from 0 to 1.
    double share(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.lately(entry, at), entry.usage, 1);
    }

    /// The value by which tenants are compared, for their weight: the share the tenant would have
    /// with one more job of its usual size. If tenants were compared by their present share, a
    /// tenant a little below its share would get a whole job and be over it most of the time; for a
    /// tenant entitled to little that is much, at the expense of the others. A tenant that holds
    /// nothing still goes first.
    double turn(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.lately(entry, at), entry.usage, oneMore(entry.usage));
    }

    /// The same for its own jobs, without those of its descendants.
    double ownTurn(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.ownLately(entry, at), entry.own, oneMore(entry.own));
    }

    private static double oneMore(Usage held) {
        return held.runningJobs() <= 0 ? 1 : 1 + 1.0 / held.runningJobs();
    }

    private double mean(DecayedUsage lately, Usage now, double times) {
        return nodeLedger
                .capacity()
                .dominantShare(
                        (lately.milliGpus() + now.milliGpus() * times) / 2,
                        (lately.milliCpu() + now.milliCpu() * times) / 2,
                        (lately.memoryMiB() + now.memoryMiB() * times) / 2);
    }

    /// The tenant's recent share of the cluster.
    double latelyShare(TenantLedger.Entry entry, long at) {
        DecayedUsage lately = tenantLedger.lately(entry, at);
        return nodeLedger
                .capacity()
                .dominantShare(lately.milliGpus(), lately.milliCpu(), lately.memoryMiB());
    }

    /// The tenant's present share of the cluster.
    double shareNow(TenantLedger.Entry entry) {
        Usage now = entry.usage;
        return nodeLedger
                .capacity()
                .dominantShare(
                        (double) now.milliGpus(),
                        (double) now.milliCpu(),
                        (double) now.memoryMiB());
    }

    boolean adjusts() {
        return rules.adjusts();
    }

    /// The factor on the tenant's weight, from its recent usage and that of all its siblings,
    /// itself included.
    ///
    /// It is the square root of (its fraction of usage / its fraction of weights), within bounds.
    /// The root keeps a tenant above its share behind one below it: under constant demand every
    /// tenant ends at its share and at a factor of 1.
    ///
    /// @param part its fraction of the weights of all siblings, itself included
    double factor(TenantLedger.Entry entry, double part, double heldByAll, long at) {
        if (!rules.adjusts() || heldByAll <= 0 || part <= 0) {
            return 1;
        }
        double used = latelyShare(entry, at) / heldByAll / part;
        return Math.clamp(Math.sqrt(used), FairShareSettings.LEAST, FairShareSettings.MOST);
    }

    static boolean isUnderGuarantee(TenantLedger.Entry entry) {
        return entry.usage.milliGpus() < entry.tenant.guaranteed().milliGpus();
    }
}
