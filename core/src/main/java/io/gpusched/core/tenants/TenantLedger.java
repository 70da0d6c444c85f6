package io.gpusched.core.tenants;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The tenants' part of the ledger. A tenant's usage, present and recent, also counts for all its
/// ancestors.
///
/// Recent usage is updated only when a tenant's present usage changes, never by a read. So it
/// depends on events alone, to the last digit.
public final class TenantLedger implements Tenants {
    /// One tenant and its usage.
    public static final class Entry {
        Tenant tenant;
        Usage usage = Usage.NONE;

        /// Usage of its own jobs, without those of its descendants.
        Usage own = Usage.NONE;

        DecayedUsage lately = DecayedUsage.NOTHING;
        DecayedUsage ownLately = DecayedUsage.NOTHING;

        /// When the recent usage was last updated.
        long latelyAt;

        TenantTotals totals = TenantTotals.NONE;
        long present;

        Entry(Tenant tenant) {
            this.tenant = tenant;
        }

        public Tenant tenant() {
            return tenant;
        }
    }

    private final TreeMap<TenantId, Entry> entries = new TreeMap<>();

    /// The same entries by id: every submission looks one up several times.
    private final Map<TenantId, Entry> byId = new LinkedHashMap<>();

    private final double decayPerMicro;
    private int guarantees;
    private long digest;

    public TenantLedger(Duration halfLife) {
        this.decayPerMicro = StrictMath.log(2) / (halfLife.toNanos() / 1000.0);
    }

    public @Nullable Entry entry(TenantId id) {
        return byId.get(id);
    }

    @Override
    public @Nullable Tenant find(TenantId id) {
        Entry entry = byId.get(id);
        return entry == null ? null : entry.tenant;
    }

    @Override
    public Usage usage(TenantId id) {
        Entry entry = byId.get(id);
        return entry == null ? Usage.NONE : entry.usage;
    }

    @Override
    public TenantTotals totals(TenantId id) {
        Entry entry = byId.get(id);
        return entry == null ? TenantTotals.NONE : entry.totals;
    }

    @Override
    public long presentJobs(TenantId id) {
        Entry entry = byId.get(id);
        return entry == null ? 0 : entry.present;
    }

    @Override
    public List<Tenant> all() {
        var all = new ArrayList<Tenant>(entries.size());
        for (Entry entry : entries.values()) {
            all.add(entry.tenant);
        }
        return all;
    }

    public List<TenantImage> images() {
        var images = new ArrayList<TenantImage>(entries.size());
        for (Entry entry : entries.values()) {
            images.add(
                    new TenantImage(
                            entry.tenant,
                            entry.totals,
                            entry.lately,
                            entry.ownLately,
                            Instants.ofMicros(entry.latelyAt)));
        }
        return images;
    }

    public long digest() {
        return digest;
    }

    public Iterable<Entry> entries() {
        return entries.values();
    }

    public void put(Tenant tenant, Instant at) {
        Entry entry = byId.get(tenant.id());
        guarantees += guarantee(tenant) - (entry == null ? 0 : guarantee(entry.tenant));
        if (entry == null) {
            var made = new Entry(tenant);
            entries.put(tenant.id(), made);
            byId.put(tenant.id(), made);
        } else if (Objects.equals(entry.tenant.parent(), tenant.parent())) {
            entry.tenant = tenant;
        } else {
            move(entry, tenant, Instants.micros(at));
        }
    }

    /// Moves what the tenant holds and held from its old ancestors to its new ones.
    private void move(Entry entry, Tenant tenant, long at) {
        catchUp(entry, at);
        Usage held = entry.usage;
        for (Entry each = parent(entry); each != null; each = parent(each)) {
            catchUp(each, at);
            each.lately = each.lately.minus(entry.lately);
            add(each, Usage.NONE.minus(held));
        }
        entry.tenant = tenant;
        for (Entry each = parent(entry); each != null; each = parent(each)) {
            catchUp(each, at);
            each.lately = each.lately.plus(entry.lately);
            add(each, held);
        }
    }

    /// Updates the recent usage.
    private void catchUp(Entry entry, long at) {
        double kept = kept(entry, at);
        entry.lately = entry.lately.after(entry.usage, kept);
        entry.ownLately = entry.ownLately.after(entry.own, kept);
        entry.latelyAt = at;
    }

    private double kept(Entry entry, long at) {
        return StrictMath.exp(-decayPerMicro * Math.max(0, at - entry.latelyAt));
    }

    /// The recent usage as of `at`; nothing changes.
    DecayedUsage lately(Entry entry, long at) {
        return entry.lately.after(entry.usage, kept(entry, at));
    }

    /// The same for its own jobs alone.
    DecayedUsage ownLately(Entry entry, long at) {
        return entry.ownLately.after(entry.own, kept(entry, at));
    }

    /// Whether the tenant is `above` or one of its descendants.
    public boolean isUnder(TenantId id, TenantId above) {
        Entry entry = byId.get(id);
        while (entry != null && !entry.tenant.id().equals(above)) {
            entry = parent(entry);
        }
        return entry != null;
    }

    /// Whether the tenant or one of its ancestors has a limit.
    public boolean isLimited(TenantId id) {
        Entry entry = byId.get(id);
        while (entry != null && entry.tenant.limit().equals(Limits.NONE)) {
            entry = parent(entry);
        }
        return entry != null;
    }

    /// Whether the tenant or one of its ancestors has a guarantee.
    public boolean hasGuarantee(TenantId id) {
        Entry entry = byId.get(id);
        while (entry != null && entry.tenant.guaranteed().milliGpus() == 0) {
            entry = parent(entry);
        }
        return entry != null;
    }

    /// Whether the tenant or one of its ancestors has a guarantee and holds all of it or more.
    public boolean hasGuaranteeAndMore(TenantId id) {
        for (Entry entry = byId.get(id); entry != null; entry = parent(entry)) {
            long guaranteed = entry.tenant.guaranteed().milliGpus();
            if (guaranteed > 0 && entry.usage.milliGpus() >= guaranteed) {
                return true;
            }
        }
        return false;
    }

    /// Whether the tenant is below its guarantee in comparison with `other`: the tenant itself, or
    /// its ancestor that is not also an ancestor of `other`.
    public boolean isUnderGuarantee(TenantId id, TenantId other) {
        Entry apart = null;
        Entry entry = byId.get(id);
        while (entry != null && !isUnder(other, entry.tenant.id())) {
            apart = entry;
            entry = parent(entry);
        }
        return apart != null && ClusterShares.isUnderGuarantee(apart);
    }

    @Override
    public long keptBeside(TenantId id) {
        Entry self = byId.get(id);
        TenantId parent = self == null ? null : self.tenant.parent();
        long kept = 0;
        if (guarantees > 0 && parent != null) {
            for (Entry entry : entries.values()) {
                if (entry != self && parent.equals(entry.tenant.parent())) {
                    long lacks = entry.tenant.guaranteed().milliGpus() - entry.usage.milliGpus();
                    kept += Math.max(0, lacks);
                }
            }
        }
        return kept;
    }

    /// Whether any tenant has a guarantee.
    public boolean haveGuarantees() {
        return guarantees > 0;
    }

    private void add(Entry entry, Usage more) {
        digest ^= Digest.of(entry.tenant.id(), entry.usage);
        entry.usage = entry.usage.plus(more);
        digest ^= Digest.of(entry.tenant.id(), entry.usage);
    }

    /// Restores everything about a tenant that does not follow from its jobs.
    public void restore(TenantImage image) {
        Entry entry = byId.get(image.tenant().id());
        if (entry != null) {
            entry.totals = image.totals();
            entry.lately = image.lately();
            entry.ownLately = image.ownLately();
            entry.latelyAt = Instants.micros(image.latelyAt());
        }
    }

    private static int guarantee(Tenant tenant) {
        return tenant.guaranteed().milliGpus() > 0 ? 1 : 0;
    }

    public void remove(TenantId id) {
        entries.remove(id);
        Entry entry = byId.remove(id);
        guarantees -= entry == null ? 0 : guarantee(entry.tenant);
    }

    public void submitted(TenantId id) {
        Entry entry = byId.get(id);
        if (entry != null) {
            entry.totals = entry.totals.submitted();
            entry.present++;
        }
    }

    /// Counts a restored job, which was not submitted just now.
    public void present(TenantId id) {
        Entry entry = byId.get(id);
        if (entry != null) {
            entry.present++;
        }
    }

    public void ended(TenantId id, Outcome.Result result) {
        Entry entry = byId.get(id);
        if (entry != null) {
            entry.totals = entry.totals.ended(result);
            entry.present--;
        }
    }

    public void charge(Job job, Instant at) {
        change(job, Usage.of(job.spec()), Instants.micros(at));
    }

    /// Counts the usage of a restored job, which did not start just now.
    public void holds(Job job) {
        Usage held = Usage.of(job.spec());
        Entry own = byId.get(job.tenant());
        if (own != null) {
            own.own = own.own.plus(held);
        }
        for (Entry entry = own; entry != null; entry = parent(entry)) {
            add(entry, held);
        }
    }

    /// @param gpuMillis GPU time of the run that ends: GPUs times milliseconds
    public void refund(Job job, long gpuMillis, Instant at) {
        change(job, Usage.NONE.minus(Usage.of(job.spec())), Instants.micros(at));
        Entry entry = byId.get(job.tenant());
        if (entry != null) {
            entry.totals = entry.totals.used(gpuMillis);
        }
    }

    private void change(Job job, Usage more, long at) {
        Entry own = byId.get(job.tenant());
        for (Entry entry = own; entry != null; entry = parent(entry)) {
            catchUp(entry, at);
            add(entry, more);
        }
        if (own != null) {
            own.own = own.own.plus(more);
        }
    }

    public @Nullable Entry parent(Entry entry) {
        TenantId parent = entry.tenant.parent();
        return parent == null ? null : byId.get(parent);
    }
}
