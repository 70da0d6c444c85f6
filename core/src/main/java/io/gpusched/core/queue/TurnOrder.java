package io.gpusched.core.queue;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.queue.TenantTree.Queue;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Finds the class of waiting jobs that is tried next: in one queue of all jobs, or tenant by
/// tenant under fair share.
final class TurnOrder {
    private final WaitClasses waitClasses;
    private final WinnerTree awake = new WinnerTree();
    private final WinnerTree blocked = new WinnerTree();
    private @Nullable TenantTree tree;

    /// The classes that are awake or wait for capacity, by age; null if the policy ignores age.
    private @Nullable WinnerTree ages;

    /// Null if no model ranks the heads of classes.
    private @Nullable RankedHeads rankedHeads;

    TurnOrder(WaitClasses waitClasses) {
        this.waitClasses = waitClasses;
    }

    /// From now on tenants take turns by the tree; null for one queue of all.
    void by(@Nullable TenantTree next) {
        for (WaitClass one : waitClasses.all()) {
            remove(Queue.AWAKE, one);
            remove(Queue.BLOCKED, one);
        }
        tree = next;
        if (next == null) {
            waitClasses.all().forEach(this::enter);
        } else {
            next.tenantsChanged();
        }
    }

    /// Whether [#oldest] may be called from now on.
    void byAge(boolean wanted) {
        if (wanted != areByAge()) {
            ages = wanted ? new WinnerTree() : null;
            waitClasses.all().forEach(this::enter);
        }
    }

    /// Whether [#rankedHeads] may be called from now on.
    void rank(boolean wanted, JobsByNumber table) {
        if (wanted != areRanked()) {
            rankedHeads = wanted ? new RankedHeads(waitClasses, table) : null;
            for (WaitClass one : waitClasses.all()) {
                if (wanted && one.live > 0) {
                    headChanged(one);
                }
            }
        }
    }

    boolean areRanked() {
        return rankedHeads != null;
    }

    RankedHeads rankedHeads() {
        return Objects.requireNonNull(rankedHeads);
    }

    /// The first job of the class changed.
    void headChanged(WaitClass one) {
        if (rankedHeads != null) {
            rankedHeads.head(one);
        }
        if (one.rest == WaitClass.Rest.AWAKE) {
            put(Queue.AWAKE, one);
        } else if (one.rest == WaitClass.Rest.CAPACITY) {
            put(Queue.BLOCKED, one);
        }
    }

    boolean areByAge() {
        return ages != null;
    }

    /// The class with the oldest head, awake or waiting for capacity; null when there is none.
    @Nullable WaitClass oldest() {
        int slot = ages == null ? -1 : ages.first();
        return slot < 0 ? null : waitClasses.at(slot);
    }

    boolean areByTenant() {
        return tree != null;
    }

    void put(Queue queue, WaitClass one) {
        if (ages != null) {
            ages.put(one.slot, 0, one.firstNumber());
        }
        if (rankedHeads != null) {
            rankedHeads.put(queue, one);
        }
        if (tree == null) {
            winners(queue).put(one.slot, one.firstKey(), one.firstNumber());
        } else if (tree.isBuilt()) {
            tree.put(queue, one);
        }
    }

    void remove(Queue queue, WaitClass one) {
        if (ages != null) {
            ages.remove(one.slot);
        }
        if (rankedHeads != null) {
            rankedHeads.remove(queue, one);
        }
        if (tree == null) {
            winners(queue).remove(one.slot);
        } else if (tree.isBuilt()) {
            tree.remove(queue, one);
        }
    }

    /// Removes a class that has no jobs left.
    void leave(WaitClass one) {
        if (rankedHeads != null) {
            rankedHeads.leave(one);
        }
        if (tree != null && tree.isBuilt()) {
            tree.leave(one);
        }
    }

    @Nullable WaitClass first(Queue queue) {
        if (tree != null) {
            return filled(tree).first(queue);
        }
        int slot = winners(queue).first();
        return slot < 0 ? null : waitClasses.at(slot);
    }

    /// Whether tenants decide which of the two goes first: 1 when `one` does, -1 when `other` does,
    /// 0 when the queue order decides.
    int compare(Job one, Job other) {
        Boolean before = tree == null ? null : filled(tree).goesBefore(one, other);
        return before == null ? 0 : before ? 1 : -1;
    }

    /// Whether the job may use the capacity reserved for `holder`; null when the queue order
    /// decides.
    @Nullable Boolean mayOvertake(Job one, Job holder) {
        if (ages != null) {
            return one.id().compareTo(holder.id()) < 0;
        }
        if (rankedHeads != null) {
            return RankedHeads.waitedLonger(one, holder);
        }
        return tree == null || one.tenant().equals(holder.tenant())
                ? null
                : Boolean.valueOf(tree.mayOvertake(one.tenant(), holder.tenant()));
    }

    void begins(Instant now) {
        if (tree != null) {
            tree.begins(Instants.micros(now));
        }
    }

    void tenantsChanged() {
        if (tree != null) {
            tree.tenantsChanged();
        }
    }

    void holdsChanged(TenantId tenant) {
        if (tree != null) {
            tree.holdsChanged(tenant);
        }
    }

    /// The classes of tenants below a guarantee, where tenants take turns.
    List<WaitClass> underGuarantee() {
        return tree == null ? List.of() : filled(tree).underGuarantee();
    }

    /// Tenants with waiting jobs in the order of their turns; none where tenants do not take turns.
    List<TenantId> inTurn(Instant now) {
        return tree == null ? List.of() : filled(tree).inTurn(Instants.micros(now));
    }

    private TenantTree filled(TenantTree built) {
        if (!built.isBuilt()) {
            built.build();
            for (WaitClass one : waitClasses.all()) {
                one.tenantSlot = -1;
                one.inQueues = 0;
                enter(one);
            }
        }
        return built;
    }

    private void enter(WaitClass one) {
        if (one.live > 0 && one.rest == WaitClass.Rest.AWAKE) {
            put(Queue.AWAKE, one);
        } else if (one.live > 0 && one.rest == WaitClass.Rest.CAPACITY) {
            put(Queue.BLOCKED, one);
        } else if (one.live > 0 && tree != null) {
            put(Queue.AWAKE, one);
            remove(Queue.AWAKE, one);
        }
    }

    private WinnerTree winners(Queue queue) {
        return queue == Queue.AWAKE ? awake : blocked;
    }
}
