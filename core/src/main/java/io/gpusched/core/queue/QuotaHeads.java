package io.gpusched.core.queue;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The first jobs of a [QuotaQueue], by what they need, for their tenant and each of its ancestors.
///
///     org      8 GPUs: team-a job-7, team-b job-3     1 GPU: team-a job-9
///     team-a   8 GPUs: job-7                          1 GPU: job-9
///
/// The answer of a quota depends on the job's need alone. So a search asks once per need, however
/// many tenants have jobs with that need, and visits tenants only where a job with that need is
/// early enough in the queue. Needs are few: as many as there are different requests.
final class QuotaHeads {
    /// The waiting jobs of one tenant with the same need.
    static final class Group {
        final TenantId tenant;
        final Usage need;
        final KeyHeap jobs = new KeyHeap();

        /// Entries in `jobs` of jobs that left.
        int left;

        private final List<TenantId> countsFor = new ArrayList<>();
        private @Nullable Head head;

        Group(TenantId tenant, Usage need) {
            this.tenant = tenant;
            this.need = need;
        }

        /// Which of two matching groups a search returns: that of the first tenant by id; within a
        /// tenant, the group whose head comes first in the queue. Both follow from the waiting jobs
        /// alone, so a restored queue gives the same answer.
        private boolean comesBefore(Group other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant == 0 ? head().compareTo(other.head()) < 0 : byTenant < 0;
        }

        private Head head() {
            return Objects.requireNonNull(head);
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

    /// How many needs and groups searches have read so far.
    long lookedAt;

    QuotaHeads(TenantLedger tenantLedger) {
        this.tenantLedger = tenantLedger;
    }

    void clear() {
        under.clear();
    }

    /// Updates the heads after the group's first job may have changed.
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
        for (TenantLedger.Entry entry = tenantLedger.entry(group.tenant);
                entry != null;
                entry = tenantLedger.parent(entry)) {
            TenantId tenant = entry.tenant().id();
            group.countsFor.add(tenant);
            under.computeIfAbsent(tenant, id -> new LinkedHashMap<>())
                    .computeIfAbsent(group.need, need -> new SameNeed())
                    .byTenant
                    .put(group.tenant, group);
        }
    }

    /// The number of a first job under the tenant that comes before (key, number) in the queue and
    /// whose need matters; -1 when there is none.
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
        return found == null ? -1 : found.head().number;
    }

    private Group firstBefore(SameNeed same, Head limit) {
        for (Group group : same.byTenant.values()) {
            lookedAt++;
            if (group.head().compareTo(limit) < 0) {
                return group;
            }
        }
        throw new IllegalStateException("no group comes before " + limit);
    }
}
