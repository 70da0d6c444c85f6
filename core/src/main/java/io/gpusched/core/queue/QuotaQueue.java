package io.gpusched.core.queue;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.queue.QuotaHeads.Group;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// Finds the first waiting job that needs a quota. For every tenant with a limit it groups the
/// waiting jobs by their need, and keeps the first job of each group.
///
///     team-a   8 GPUs: job-7 job-12 …     1 GPU: job-9 job-10 job-11 …
///
/// Jobs of one group get the same answer from a quota, so a search looks only at the heads of the
/// groups. The index depends on recorded events alone, never on which jobs were tried when. A job
/// costs two numbers here; a job of a tenant without any limit costs nothing.
public final class QuotaQueue {
    /// The number of entries of jobs that left that a group may keep before it is cleaned.
    private static final int FEW = 64;

    private final JobsByNumber table;
    private final TenantLedger tenantLedger;
    private final Map<TenantId, Map<Usage, Group>> groups = new LinkedHashMap<>();
    private final QuotaHeads heads;
    private final PostponedJobs postponed;
    private final Set<Long> apart = new LinkedHashSet<>();
    private ToLongFunction<Job> order;
    private long passed = Long.MIN_VALUE;

    public QuotaQueue(JobsByNumber table, TenantLedger tenantLedger, ToLongFunction<Job> order) {
        this.table = table;
        this.tenantLedger = tenantLedger;
        this.order = order;
        this.heads = new QuotaHeads(tenantLedger);
        this.postponed = new PostponedJobs(table, QuotaQueue::dueAt);
    }

    /// From when on the job keeps a quota from others, in microseconds: not while it may be held
    /// back for clean power, because nobody would use the quota until then.
    private static long dueAt(Job job) {
        Instant shifts = job.mayShiftUntil();
        long due = PostponedJobs.dueAt(job);
        return shifts == null ? due : Math.max(due, Instants.micros(shifts));
    }

    /// A job under the tenant that is the first of its group, comes before `job` in the queue and
    /// whose need `matters`. If there are several, it is the first in the queue among those of the
    /// first tenant by id. Null if there is none.
    public @Nullable Job find(TenantId tenant, Job job, Predicate<Usage> matters) {
        long found = heads.find(tenant, order.applyAsLong(job), job.id().number(), matters);
        return found < 0 ? null : table.job(found);
    }

    /// The same among jobs whose key is not larger than `most`.
    public @Nullable Job find(TenantId tenant, Job job, long most, Predicate<Usage> matters) {
        long key = order.applyAsLong(job);
        long number = key <= most ? job.id().number() : Long.MAX_VALUE;
        long found = heads.find(tenant, Math.min(key, most), number, matters);
        return found < 0 ? null : table.job(found);
    }

    /// How many needs and groups searches have read so far.
    long lookedAt() {
        return heads.lookedAt;
    }

    public void add(Job job) {
        if (!tenantLedger.isLimited(job.tenant())) {
            return;
        }
        if (dueAt(job) > passed) {
            postponed.add(job);
        } else {
            TenantId tenant = job.tenant();
            Group group =
                    groups.computeIfAbsent(tenant, id -> new LinkedHashMap<>())
                            .computeIfAbsent(Usage.of(job.spec()), need -> new Group(tenant, need));
            group.jobs.add(order.applyAsLong(job), job.id().number());
            heads.moved(group);
        }
    }

    /// Removes a job that leaves the queue; returns whether it was the head of its group.
    public boolean remove(Job job) {
        Map<Usage, Group> byNeed = groups.get(job.tenant());
        if (byNeed == null) {
            return false;
        }
        Usage need = Usage.of(job.spec());
        Group group = byNeed.get(need);
        if (group == null || group.jobs.isEmpty()) {
            return false;
        }
        long number = job.id().number();
        boolean first = group.jobs.firstNumber() == number;
        while (!group.jobs.isEmpty() && !isWaiting(group, number)) {
            group.jobs.removeFirst();
        }
        if (++group.left > FEW && group.left > group.jobs.size() / 2) {
            forgetLeft(group, number);
        }
        heads.moved(group);
        if (group.jobs.isEmpty()) {
            byNeed.remove(need);
        }
        if (byNeed.isEmpty()) {
            groups.remove(job.tenant());
        }
        return first;
    }

    private boolean isWaiting(Group group, long leaving) {
        long number = group.jobs.firstNumber();
        Job job = number == leaving ? null : table.job(number);
        return job != null
                && job.waiting()
                && !apart.contains(number)
                && dueAt(job) <= passed
                && order.applyAsLong(job) == group.jobs.firstKey();
    }

    private void forgetLeft(Group group, long leaving) {
        var kept = new KeyHeap();
        long last = 0;
        while (!group.jobs.isEmpty()) {
            long number = group.jobs.firstNumber();
            if (number != last && isWaiting(group, leaving)) {
                kept.add(group.jobs.firstKey(), number);
                last = number;
            }
            group.jobs.removeFirst();
        }
        while (!kept.isEmpty()) {
            group.jobs.add(kept.firstKey(), kept.firstNumber());
            kept.removeFirst();
        }
        group.left = 0;
    }

    /// Other jobs are being preempted for the job, so it counts as if it had started.
    public void setApart(Job job) {
        apart.add(job.id().number());
        remove(job);
    }

    public void endApart(JobId job) {
        apart.remove(job.number());
    }

    /// Adds postponed jobs whose time has come.
    public void timePassed(Instant now) {
        passed = Math.max(passed, Instants.micros(now));
        postponed.takeDue(
                passed,
                job -> {
                    if (job.waiting() && !apart.contains(job.id().number())) {
                        add(job);
                    }
                });
    }

    /// Builds the index again, in another order.
    public void rebuild(ToLongFunction<Job> next, Iterable<Job> waiting) {
        order = next;
        groups.clear();
        heads.clear();
        postponed.clear();
        for (Job job : waiting) {
            if (!apart.contains(job.id().number())) {
                add(job);
            }
        }
    }
}
