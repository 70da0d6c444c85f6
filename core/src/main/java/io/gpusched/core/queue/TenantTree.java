package io.gpusched.core.queue;

import io.gpusched.core.model.Capacity;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.tenants.ClusterShares;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Orders the classes of waiting jobs by tenant, for fair share. At each level a tenant below its
/// guarantee comes first, then the tenant with the smallest share for its weight; within a tenant
/// the queue order decides.
///
///     all ┬ research ┬ its own jobs: classes …
///         │          └ vision ─ its own jobs: classes …
///         └ product ─ its own jobs: classes …
///
/// Each branch has a winner tree of the branches below it. Shares change with time, so all branches
/// with waiting jobs get new keys at the start of a cycle. Shares also change with every start of a
/// job, so then its tenant and the ancestors get new keys. Neither touches jobs or classes.
final class TenantTree {
    /// The two queues of classes: classes to try, and classes that wait for capacity.
    enum Queue {
        AWAKE,
        BLOCKED
    }

    private static final Queue[] QUEUES = Queue.values();

    /// A part of the tree: a tenant with its descendants, the own jobs of one tenant, or the root.
    private static final class Branch {
        final @Nullable Branch above;
        final int depth;
        final TenantLedger.@Nullable Entry entry;

        /// Whether the branch holds only the tenant's own jobs.
        final boolean own;

        final List<Branch> below = new ArrayList<>();
        final List<@Nullable WaitClass> classes = new ArrayList<>();
        final ArrayDeque<Integer> free = new ArrayDeque<>();
        final WinnerTree[] queues = new WinnerTree[QUEUES.length];
        final int[] taking = new int[QUEUES.length];
        int slot;
        long key;

        /// The sums of weights and of recent usage below, in the cycle `summed`.
        double weights;

        double recentUsage;
        long summed = -1;

        Branch(@Nullable Branch above, TenantLedger.@Nullable Entry entry, boolean own) {
            this.above = above;
            this.depth = above == null ? 0 : above.depth + 1;
            this.entry = entry;
            this.own = own;
            if (above != null) {
                this.slot = above.below.size();
                above.below.add(this);
            }
        }

        WinnerTree queue(Queue queue) {
            WinnerTree one = queues[queue.ordinal()];
            if (one == null) {
                one = new WinnerTree();
                queues[queue.ordinal()] = one;
            }
            return one;
        }
    }

    private final TenantLedger tenantLedger;
    private final ClusterShares clusterShares;
    private Branch root = new Branch(null, null, false);
    private final Map<TenantId, Branch> owns = new TreeMap<>();
    private boolean built;
    private boolean keyed;
    private long now;
    private long cycle;

    TenantTree(TenantLedger tenantLedger, ClusterShares clusterShares) {
        this.tenantLedger = tenantLedger;
        this.clusterShares = clusterShares;
    }

    /// A tree without tenants.
    static TenantTree withoutTenants() {
        var noTenants = new TenantLedger(FairShareSettings.DEFAULT.halfLife());
        return new TenantTree(
                noTenants,
                new ClusterShares(noTenants, () -> Capacity.NOTHING, FairShareSettings.DEFAULT));
    }

    boolean isBuilt() {
        return built;
    }

    /// Tenants were added, removed or changed: the tree must be built and filled again.
    void tenantsChanged() {
        built = false;
    }

    /// A cycle begins: shares are as of `micros` from now on.
    void begins(long micros) {
        now = micros;
        keyed = false;
        cycle++;
    }

    /// Builds the tree without any classes.
    void build() {
        root = new Branch(null, null, false);
        owns.clear();
        var branches = new TreeMap<TenantId, Branch>();
        for (TenantLedger.Entry entry : tenantLedger.entries()) {
            branch(entry, branches);
        }
        built = true;
        keyed = false;
    }

    private Branch branch(TenantLedger.Entry entry, Map<TenantId, Branch> branches) {
        Branch known = branches.get(entry.tenant().id());
        if (known != null) {
            return known;
        }
        TenantLedger.Entry parent = tenantLedger.parent(entry);
        var branch = new Branch(parent == null ? root : branch(parent, branches), entry, false);
        branches.put(entry.tenant().id(), branch);
        owns.put(entry.tenant().id(), new Branch(branch, entry, true));
        return branch;
    }

    /// Adds or updates the class with its present head.
    void put(Queue queue, WaitClass one) {
        Branch own = own(one.key.tenant());
        if (one.tenantSlot < 0) {
            Integer used = own.free.pollFirst();
            one.tenantSlot = used == null ? own.classes.size() : used;
            if (used == null) {
                own.classes.add(one);
            } else {
                own.classes.set(one.tenantSlot, one);
            }
        }
        own.queue(queue).put(one.tenantSlot, one.firstKey(), one.firstNumber());
        int bit = 1 << queue.ordinal();
        if ((one.inQueues & bit) == 0) {
            one.inQueues |= bit;
            entered(queue, own);
        }
    }

    private void entered(Queue queue, Branch first) {
        Branch branch = first;
        while (branch != null && ++branch.taking[queue.ordinal()] == 1 && branch.above != null) {
            if (keyed) {
                branch.key = key(branch);
            }
            branch.above.queue(queue).put(branch.slot, branch.key, branch.slot);
            branch = branch.above;
        }
    }

    /// Removes the class, if it is there.
    void remove(Queue queue, WaitClass one) {
        int bit = 1 << queue.ordinal();
        if ((one.inQueues & bit) == 0) {
            return;
        }
        one.inQueues &= ~bit;
        Branch branch = own(one.key.tenant());
        branch.queue(queue).remove(one.tenantSlot);
        while (--branch.taking[queue.ordinal()] == 0 && branch.above != null) {
            branch.above.queue(queue).remove(branch.slot);
            branch = branch.above;
        }
    }

    /// Removes a class that has no jobs left.
    void leave(WaitClass one) {
        if (one.tenantSlot >= 0) {
            Branch own = own(one.key.tenant());
            own.classes.set(one.tenantSlot, null);
            own.free.addLast(one.tenantSlot);
            one.tenantSlot = -1;
        }
    }

    @Nullable WaitClass first(Queue queue) {
        if (root.taking[queue.ordinal()] == 0) {
            return null;
        }
        keyAll();
        Branch branch = root;
        while (!branch.own) {
            branch = branch.below.get(branch.queue(queue).first());
        }
        return branch.classes.get(branch.queue(queue).first());
    }

    /// Whether the tenant of `one` has its turn before the tenant of `other`; null if it is the
    /// same tenant.
    @Nullable Boolean goesBefore(Job one, Job other) {
        Branch its = own(one.tenant());
        Branch others = own(other.tenant());
        if (its == others) {
            return null;
        }
        while (its.above != others.above) {
            if (its.depth >= others.depth) {
                its = Objects.requireNonNull(its.above);
            } else {
                others = Objects.requireNonNull(others.above);
            }
        }
        keyAll();
        long key = key(its);
        long otherKey = key(others);
        return key < otherKey || (key == otherKey && its.slot < others.slot);
    }

    /// Whether `one` is below its guarantee and `other` is not, compared below their common
    /// ancestor.
    boolean mayOvertake(TenantId one, TenantId other) {
        return tenantLedger.isUnderGuarantee(one, other)
                && !tenantLedger.isUnderGuarantee(other, one);
    }

    /// Updates keys after the tenant's usage changed within a cycle.
    void holdsChanged(TenantId tenant) {
        if (!built || !keyed) {
            return;
        }
        for (Branch branch = own(tenant); branch.above != null; branch = branch.above) {
            rekey(branch);
        }
    }

    /// The classes of all tenants that are below a guarantee, their own or of an ancestor.
    List<WaitClass> underGuarantee() {
        var found = new ArrayList<WaitClass>();
        for (Branch own : owns.values()) {
            if (own.classes.size() > own.free.size() && isUnderGuarantee(own)) {
                for (WaitClass one : own.classes) {
                    if (one != null) {
                        found.add(one);
                    }
                }
            }
        }
        return found;
    }

    /// The tenants that have waiting jobs of their own, in the order of their turns at `micros` if
    /// all of them waited for capacity. Must not be called within a cycle.
    List<TenantId> inTurn(long micros) {
        begins(micros);
        var found = new ArrayList<TenantId>();
        addInTurn(root, found);
        return found;
    }

    private void addInTurn(Branch branch, List<TenantId> to) {
        if (branch.own && branch.entry != null && branch.classes.size() > branch.free.size()) {
            to.add(branch.entry.tenant().id());
        }
        var sorted = new ArrayList<>(branch.below);
        sorted.sort(
                Comparator.<Branch>comparingLong(this::key).thenComparingInt(each -> each.slot));
        sorted.forEach(each -> addInTurn(each, to));
    }

    private static boolean isUnderGuarantee(Branch own) {
        for (Branch branch = own; branch != null; branch = branch.above) {
            if (branch.entry != null && ClusterShares.isUnderGuarantee(branch.entry)) {
                return true;
            }
        }
        return false;
    }

    private void keyAll() {
        if (!keyed) {
            keyed = true;
            keyBelow(root);
        }
    }

    private void keyBelow(Branch branch) {
        for (Branch each : branch.below) {
            if (each.taking[0] + each.taking[1] > 0) {
                rekey(each);
                keyBelow(each);
            }
        }
    }

    private void sumBelow(Branch branch) {
        if (branch.summed == cycle) {
            return;
        }
        branch.summed = cycle;
        branch.weights = 0;
        branch.recentUsage = 0;
        for (Branch each : branch.below) {
            if (each.entry != null && !each.own) {
                branch.weights += each.entry.tenant().weight();
                branch.recentUsage += clusterShares.latelyShare(each.entry, now);
            }
        }
    }

    private void rekey(Branch branch) {
        branch.key = key(branch);
        for (Queue queue : QUEUES) {
            if (branch.taking[queue.ordinal()] > 0 && branch.above != null) {
                branch.above.queue(queue).put(branch.slot, branch.key, branch.slot);
            }
        }
    }

    /// Smaller goes first: tenants below their guarantee, then by share for the weight.
    private long key(Branch branch) {
        TenantLedger.Entry entry = branch.entry;
        if (entry == null || branch.above == null) {
            return 0;
        }
        if (branch.own) {
            return key(clusterShares.ownTurn(entry, now), false);
        }
        return key(
                clusterShares.turn(entry, now) / weight(branch, entry),
                ClusterShares.isUnderGuarantee(entry));
    }

    private double weight(Branch branch, TenantLedger.Entry entry) {
        double weight = entry.tenant().weight();
        Branch above = branch.above;
        if (above == null || !clusterShares.adjusts()) {
            return weight;
        }
        sumBelow(above);
        return weight * clusterShares.factor(entry, weight / above.weights, above.recentUsage, now);
    }

    /// Non-negative numbers keep their order when their bits are read as a whole number.
    private static long key(double share, boolean under) {
        return Double.doubleToLongBits(share) >>> 1 | (under ? 0 : 1L << 62);
    }

    private Branch own(TenantId tenant) {
        return owns.computeIfAbsent(tenant, id -> new Branch(root, null, true));
    }
}
