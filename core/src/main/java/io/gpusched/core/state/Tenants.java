package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The tenants' part of the ledger. What a tenant holds counts for every tenant above it too.
final class Tenants {
    static final class Entry {
        Tenant tenant;
        Usage usage = Usage.NONE;
        TenantTotals totals = TenantTotals.NONE;
        long present;

        Entry(Tenant tenant) {
            this.tenant = tenant;
        }
    }

    private final TreeMap<TenantId, Entry> entries = new TreeMap<>();
    private long digest;

    @Nullable Entry find(TenantId id) {
        return entries.get(id);
    }

    List<Tenant> all() {
        var all = new ArrayList<Tenant>(entries.size());
        for (Entry entry : entries.values()) {
            all.add(entry.tenant);
        }
        return all;
    }

    long digest() {
        return digest;
    }

    void put(Tenant tenant) {
        Entry entry = entries.get(tenant.id());
        if (entry == null) {
            entries.put(tenant.id(), new Entry(tenant));
        } else {
            // What it holds counts for those above it, whoever they are from now on.
            Usage held = entry.usage;
            addAbove(entry, Usage.NONE.minus(held));
            entry.tenant = tenant;
            addAbove(entry, held);
        }
    }

    /// Whether the tenant is `above` or below it.
    boolean isUnder(TenantId id, TenantId above) {
        Entry entry = entries.get(id);
        while (entry != null && !entry.tenant.id().equals(above)) {
            entry = parent(entry);
        }
        return entry != null;
    }

    /// Whether any limit holds for the tenant, its own or of one above it.
    boolean isLimited(TenantId id) {
        Entry entry = entries.get(id);
        while (entry != null && entry.tenant.limit().equals(Limits.NONE)) {
            entry = parent(entry);
        }
        return entry != null;
    }

    private void addAbove(Entry below, Usage more) {
        for (Entry entry = parent(below); entry != null; entry = parent(entry)) {
            add(entry, more);
        }
    }

    private void add(Entry entry, Usage more) {
        digest ^= Digest.of(entry.tenant.id(), entry.usage);
        entry.usage = entry.usage.plus(more);
        digest ^= Digest.of(entry.tenant.id(), entry.usage);
    }

    void restore(TenantId id, TenantTotals totals) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.totals = totals;
        }
    }

    void remove(TenantId id) {
        entries.remove(id);
    }

    void submitted(TenantId id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.totals = entry.totals.submitted();
            entry.present++;
        }
    }

    /// Counts a job that is there without having been submitted just now.
    void present(TenantId id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.present++;
        }
    }

    void ended(TenantId id, Outcome.Result result) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.totals = entry.totals.ended(result);
            entry.present--;
        }
    }

    void charge(Job job) {
        add(job, false);
    }

    /// @param gpuMillis what the run that ends has used: GPUs times milliseconds
    void refund(Job job, long gpuMillis) {
        add(job, true);
        Entry entry = entries.get(job.tenant());
        if (entry != null) {
            entry.totals = entry.totals.used(gpuMillis);
        }
    }

    private void add(Job job, boolean back) {
        Usage held = Usage.of(job.spec());
        for (Entry entry = entries.get(job.tenant()); entry != null; entry = parent(entry)) {
            add(entry, back ? Usage.NONE.minus(held) : held);
        }
    }

    @Nullable Entry parent(Entry entry) {
        TenantId parent = entry.tenant.parent();
        return parent == null ? null : entries.get(parent);
    }
}
