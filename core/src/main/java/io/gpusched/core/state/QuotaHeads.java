package io.gpusched.core.state;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The first jobs of a [QuotaQueue], for every tenant that they count for, by what they need.
///
///     org      8 GPUs: team-a job-7, team-b job-3     1 GPU: team-a job-9
///     team-a   8 GPUs: job-7                          1 GPU: job-9
///
/// What a quota says to a job depends on the job's need alone. So a search asks once per need,
/// however many tenants wait with it, and walks over tenants only where a job of that need stands
/// early enough. Needs are few: as many as there are different requests.
final class QuotaHeads {
    /// The jobs of one tenant that need the same.
    static final class Group {
        final TenantId tenant;
        final Usage need;
        final KeyHeap jobs = new KeyHeap();

        /// Entries in `jobs` of jobs that left.
        int left;

        private final long created;
        private final List<TenantId> countsFor = new ArrayList<>();
        private @Nullable Head head;

        Group(TenantId tenant, Usage need, long created) {
            this.tenant = tenant;
            this.need = need;
            this.created = created;
        }

        /// Of groups that would do, the one of the first tenant by id, and of one tenant's the
        /// oldest, is found.
        private boolean comesBefore(Group other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant == 0 ? created < other.created : byTenant < 0;
        }
    }

    private record Head(long key, long number) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            int byKey = Long.compare(key, other.key);
            return byKey != 0 ? byKey : Long.compare(number, other.number);
        }
    }

    private static final class SameNeed {
        final TreeMap<TenantId, Group> byTenant = new TreeMap<>();
        final TreeSet<Head> heads = new TreeSet<>();
    }

    private final TenantLedger tenantLedger;
    private final Map<TenantId, Map<Usage, SameNeed>> under = new LinkedHashMap<>();

    /// Needs asked about and groups looked at so far.
    long lookedAt;

    QuotaHeads(TenantLedger tenantLedger) {
        this.tenantLedger = tenantLedger;
    }

    void clear() {
        under.clear();
    }

    /// Another job may be the group's first now, or none.
    void moved(Group group) {
        Head before = group.head;
        Head now =
                group.jobs.isEmpty()
                        ? null
                        : new Head(group.jobs.firstKey(), group.jobs.firstNumber());
        if (Objects.equals(before, now)) {
            return;
        }
        if (before == null) {
            enter(group);
        }
        group.head = now;
        for (TenantId tenant : group.countsFor) {
            Map<Usage, SameNeed> byNeed = Objects.requireNonNull(under.get(tenant));
            SameNeed same = Objects.requireNonNull(byNeed.get(group.need));
            if (before != null) {
                same.heads.remove(before);
            }
            if (now != null) {
                same.heads.add(now);
                continue;
            }
            same.byTenant.remove(group.tenant);
            if (same.byTenant.isEmpty()) {
                byNeed.remove(group.need);
            }
            if (byNeed.isEmpty()) {
                under.remove(tenant);
            }
        }
    }

    private void enter(Group group) {
        group.countsFor.clear();
        for (TenantLedger.Entry entry = tenantLedger.find(group.tenant);
                entry != null;
                entry = tenantLedger.parent(entry)) {
            TenantId tenant = entry.tenant.id();
            group.countsFor.add(tenant);
            under.computeIfAbsent(tenant, id -> new LinkedHashMap<>())
                    .computeIfAbsent(group.need, need -> new SameNeed())
                    .byTenant
                    .put(group.tenant, group);
        }
    }

    /// A first job under the tenant that stands before (key, number) and whose need matters; the
    /// job's number, or -1 when there is none.
    long find(TenantId tenant, long key, long number, Predicate<Usage> matters) {
        var limit = new Head(key, number);
        Group found = null;
        Map<Usage, SameNeed> byNeed = under.get(tenant);
        if (byNeed == null) {
            return -1;
        }
        for (var entry : byNeed.entrySet()) {
            lookedAt++;
            SameNeed same = entry.getValue();
            if (same.heads.first().compareTo(limit) < 0 && matters.test(entry.getKey())) {
                Group one = firstBefore(same, limit);
                found = found == null || one.comesBefore(found) ? one : found;
            }
        }
        return found == null ? -1 : Objects.requireNonNull(found.head).number;
    }

    private Group firstBefore(SameNeed same, Head limit) {
        for (Group group : same.byTenant.values()) {
            lookedAt++;
            if (Objects.requireNonNull(group.head).compareTo(limit) < 0) {
                return group;
            }
        }
        throw new IllegalStateException("no group stands before " + limit);
    }
}
