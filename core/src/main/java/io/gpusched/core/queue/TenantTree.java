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

/// Classes of waiting jobs by tenant: at each level a tenant below its guarantee goes first, then
/// the tenant with the smallest share for its weight; inside a tenant the queue order decides.
///
///     all ┬ research ┬ its own jobs: classes …
///         │          └ vision ─ its own jobs: classes …
///         └ product ─ its own jobs: classes …
///
/// Every place holds a winner tree of those below it. Shares change with time, so all places with
/// waiting jobs get new keys at the start of a cycle. Shares also change with every start of a job,
/// so then its tenant and the ancestors get new keys. Neither touches jobs or classes.
final class TenantTree {
    /// One of the queues of classes.
    enum Line {
        AWAKE,
        BLOCKED
    }

    private static final Line[] LINES = Line.values();

    /// A tenant with all its descendants, or the jobs of one tenant alone, or everything.
    private static final class Place {
        final @Nullable Place above;
        final int depth;
        final TenantLedger.@Nullable Entry entry;

        /// Whether this is for the tenant's own jobs alone.
        final boolean own;

        final List<Place> below = new ArrayList<>();
        final List<@Nullable WaitClass> classes = new ArrayList<>();
        final ArrayDeque<Integer> free = new ArrayDeque<>();
        final WinnerTree[] lines = new WinnerTree[LINES.length];
        final int[] taking = new int[LINES.length];
        int slot;
        long key;

        /// The sums of weights and of recent usage below, in the cycle `summed`.
        double weights;

        double lately;
        long summed = -1;

        Place(@Nullable Place above, TenantLedger.@Nullable Entry entry, boolean own) {
            this.above = above;
            this.depth = above == null ? 0 : above.depth + 1;
            this.entry = entry;
            this.own = own;
            if (above != null) {
                this.slot = above.below.size();
                above.below.add(this);
            }
        }

        WinnerTree line(Line line) {
            WinnerTree one = lines[line.ordinal()];
            if (one == null) {
                one = new WinnerTree();
                lines[line.ordinal()] = one;
            }
            return one;
        }
    }

    private final TenantLedger tenantLedger;
    private final ClusterShares clusterShares;
    private Place root = new Place(null, null, false);
    private final Map<TenantId, Place> owns = new TreeMap<>();
    private boolean built;
    private boolean keyed;
    private long now;
    private long cycle;

    TenantTree(TenantLedger tenantLedger, ClusterShares clusterShares) {
        this.tenantLedger = tenantLedger;
        this.clusterShares = clusterShares;
    }

    /// A tree without tenants.
    static TenantTree ofNobody() {
        var nobody = new TenantLedger(FairShareSettings.DEFAULT.halfLife());
        return new TenantTree(
                nobody,
                new ClusterShares(nobody, () -> Capacity.NOTHING, FairShareSettings.DEFAULT));
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
        root = new Place(null, null, false);
        owns.clear();
        var places = new TreeMap<TenantId, Place>();
        for (TenantLedger.Entry entry : tenantLedger.entries()) {
            place(entry, places);
        }
        built = true;
        keyed = false;
    }

    private Place place(TenantLedger.Entry entry, Map<TenantId, Place> places) {
        Place known = places.get(entry.tenant().id());
        if (known != null) {
            return known;
        }
        TenantLedger.Entry parent = tenantLedger.parent(entry);
        var place = new Place(parent == null ? root : place(parent, places), entry, false);
        places.put(entry.tenant().id(), place);
        owns.put(entry.tenant().id(), new Place(place, entry, true));
        return place;
    }

    /// Adds or updates the class with its present head.
    void put(Line line, WaitClass one) {
        Place own = own(one.key.tenant());
        if (one.seat < 0) {
            Integer used = own.free.pollFirst();
            one.seat = used == null ? own.classes.size() : used;
            if (used == null) {
                own.classes.add(one);
            } else {
                own.classes.set(one.seat, one);
            }
        }
        own.line(line).put(one.seat, one.firstKey(), one.firstNumber());
        int bit = 1 << line.ordinal();
        if ((one.takes & bit) == 0) {
            one.takes |= bit;
            entered(line, own);
        }
    }

    private void entered(Line line, Place first) {
        Place place = first;
        while (place != null && ++place.taking[line.ordinal()] == 1 && place.above != null) {
            if (keyed) {
                place.key = key(place);
            }
            place.above.line(line).put(place.slot, place.key, place.slot);
            place = place.above;
        }
    }

    /// Removes the class, if it is there.
    void remove(Line line, WaitClass one) {
        int bit = 1 << line.ordinal();
        if ((one.takes & bit) == 0) {
            return;
        }
        one.takes &= ~bit;
        Place place = own(one.key.tenant());
        place.line(line).remove(one.seat);
        while (--place.taking[line.ordinal()] == 0 && place.above != null) {
            place.above.line(line).remove(place.slot);
            place = place.above;
        }
    }

    /// Removes a class that has no jobs left.
    void leave(WaitClass one) {
        if (one.seat >= 0) {
            Place own = own(one.key.tenant());
            own.classes.set(one.seat, null);
            own.free.addLast(one.seat);
            one.seat = -1;
        }
    }

    @Nullable WaitClass first(Line line) {
        if (root.taking[line.ordinal()] == 0) {
            return null;
        }
        keyAll();
        Place place = root;
        while (!place.own) {
            place = place.below.get(place.line(line).first());
        }
        return place.classes.get(place.line(line).first());
    }

    /// Whether a job of one tenant goes before a job of another; null when they are of the same.
    @Nullable Boolean goesBefore(Job one, Job other) {
        Place its = own(one.tenant());
        Place others = own(other.tenant());
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
        for (Place place = own(tenant); place.above != null; place = place.above) {
            rekey(place);
        }
    }

    /// The classes of all tenants that are below a guarantee, their own or of an ancestor.
    List<WaitClass> underGuarantee() {
        var found = new ArrayList<WaitClass>();
        for (Place own : owns.values()) {
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

    private void addInTurn(Place place, List<TenantId> to) {
        if (place.own && place.entry != null && place.classes.size() > place.free.size()) {
            to.add(place.entry.tenant().id());
        }
        var sorted = new ArrayList<>(place.below);
        sorted.sort(Comparator.<Place>comparingLong(this::key).thenComparingInt(each -> each.slot));
        sorted.forEach(each -> addInTurn(each, to));
    }

    private static boolean isUnderGuarantee(Place own) {
        for (Place place = own; place != null; place = place.above) {
            if (place.entry != null && ClusterShares.isUnderGuarantee(place.entry)) {
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

    private void keyBelow(Place place) {
        for (Place each : place.below) {
            if (each.taking[0] + each.taking[1] > 0) {
                rekey(each);
                keyBelow(each);
            }
        }
    }

    private void sumBelow(Place place) {
        if (place.summed == cycle) {
            return;
        }
        place.summed = cycle;
        place.weights = 0;
        place.lately = 0;
        for (Place each : place.below) {
            if (each.entry != null && !each.own) {
                place.weights += each.entry.tenant().weight();
                place.lately += clusterShares.latelyShare(each.entry, now);
            }
        }
    }

    private void rekey(Place place) {
        place.key = key(place);
        for (Line line : LINES) {
            if (place.taking[line.ordinal()] > 0 && place.above != null) {
                place.above.line(line).put(place.slot, place.key, place.slot);
            }
        }
    }

    /// Smaller goes first: tenants below their guarantee, then by share for the weight.
    private long key(Place place) {
        TenantLedger.Entry entry = place.entry;
        if (entry == null || place.above == null) {
            return 0;
        }
        if (place.own) {
            return key(clusterShares.ownTurn(entry, now), false);
        }
        return key(
                clusterShares.turn(entry, now) / weight(place, entry),
                ClusterShares.isUnderGuarantee(entry));
    }

    private double weight(Place place, TenantLedger.Entry entry) {
        double weight = entry.tenant().weight();
        Place above = place.above;
        if (above == null || !clusterShares.adjusts()) {
            return weight;
        }
        sumBelow(above);
        return weight * clusterShares.factor(entry, weight / above.weights, above.lately, now);
    }

    /// Non-negative numbers keep their order when their bits are read as a whole number.
    private static long key(double share, boolean under) {
        return Double.doubleToLongBits(share) >>> 1 | (under ? 0 : 1L << 62);
    }

    private Place own(TenantId tenant) {
        return owns.computeIfAbsent(tenant, id -> new Place(root, null, true));
    }
}
