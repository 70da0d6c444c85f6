package io.gpusched.core.tenants;

import io.gpusched.core.model.Capacity;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Usage;

import java.util.function.Supplier;

/// How much of the cluster a tenant has, over time: the mean of its usage now and its decayed
/// usage, as its dominant share (the largest of its parts of GPUs, cores and memory).
///
/// Both halves are needed. The usage now follows every start within a cycle; the decayed usage
/// remembers which tenants had more than others while these waited.
public final class ClusterShares {
    private final TenantLedger tenantLedger;
    private final Supplier<Capacity> capacity;
    private final FairShareSettings rules;

    /// @param capacity what all nodes that take new tasks have together, as of now
    public ClusterShares(
            TenantLedger tenantLedger, Supplier<Capacity> capacity, FairShareSettings rules) {
        this.tenantLedger = tenantLedger;
        this.capacity = capacity;
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
    public double turn(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.lately(entry, at), entry.usage, oneMore(entry.usage));
    }

    /// The same for its own jobs, without those of its descendants.
    public double ownTurn(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.ownLately(entry, at), entry.own, oneMore(entry.own));
    }

    private static double oneMore(Usage held) {
        return held.runningJobs() <= 0 ? 1 : 1 + 1.0 / held.runningJobs();
    }

    private double mean(DecayedUsage lately, Usage now, double times) {
        return capacity.get()
                .dominantShare(
                        (lately.milliGpus() + now.milliGpus() * times) / 2,
                        (lately.milliCpu() + now.milliCpu() * times) / 2,
                        (lately.memoryMiB() + now.memoryMiB() * times) / 2);
    }

    /// The tenant's recent share of the cluster.
    public double latelyShare(TenantLedger.Entry entry, long at) {
        DecayedUsage lately = tenantLedger.lately(entry, at);
        return capacity.get()
                .dominantShare(lately.milliGpus(), lately.milliCpu(), lately.memoryMiB());
    }

    /// The tenant's present share of the cluster.
    double shareNow(TenantLedger.Entry entry) {
        Usage now = entry.usage;
        return capacity.get()
                .dominantShare(
                        (double) now.milliGpus(),
                        (double) now.milliCpu(),
                        (double) now.memoryMiB());
    }

    public boolean adjusts() {
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
    public double factor(TenantLedger.Entry entry, double part, double heldByAll, long at) {
        if (!rules.adjusts() || heldByAll <= 0 || part <= 0) {
            return 1;
        }
        double used = latelyShare(entry, at) / heldByAll / part;
        return Math.clamp(Math.sqrt(used), FairShareSettings.LEAST, FairShareSettings.MOST);
    }

    public static boolean isUnderGuarantee(TenantLedger.Entry entry) {
        return entry.usage.milliGpus() < entry.tenant.guaranteed().milliGpus();
    }
}
