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

    /// The part of the cluster that counts against the tenant, from 0 to 1.
    double share(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.lately(entry, at), entry.usage, 1);
    }

    /// By what it is compared with others, for its weight: the share it would have with one more
    /// job of its usual size. Compared by what they have, whoever is a little below its share would
    /// get a whole job and be over it most of the time; that is much for those who are due little,
    /// and the others pay for it. Who holds nothing still goes first.
    public double turn(TenantLedger.Entry entry, long at) {
        return mean(tenantLedger.lately(entry, at), entry.usage, oneMore(entry.usage));
    }

    /// The same of its own jobs, without those of tenants below.
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

    /// The part of the cluster that the tenant held lately.
    public double latelyShare(TenantLedger.Entry entry, long at) {
        DecayedUsage lately = tenantLedger.lately(entry, at);
        return capacity.get()
                .dominantShare(lately.milliGpus(), lately.milliCpu(), lately.memoryMiB());
    }

    /// The part of the cluster that the tenant holds now.
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

    /// By what the tenant's weight is multiplied, given what it held lately and what all tenants
    /// beside it held, itself included.
    ///
    /// It is the root of (part it held / part its weight stands for), within bounds. The root, so
    /// that who holds more than its share still comes later than who holds less: under constant
    /// demand everybody ends at its share and at a factor of 1.
    ///
    /// @param part its part of the weights of all tenants beside it, itself included
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
