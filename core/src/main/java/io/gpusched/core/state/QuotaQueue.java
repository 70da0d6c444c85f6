package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// The queue indexed by what jobs need of a quota: for every tenant with a limit, the first job of
/// each group of jobs that need the same.
///
///     team-a   8 GPUs: job-7 job-12 …     1 GPU: job-9 job-10 job-11 …
///
/// Jobs of one group get the same answer from a quota, so the first job that waits for it is found
/// among the firsts. The index depends on recorded events alone, never on which jobs were tried
/// when. A job costs two numbers here; jobs of tenants without any limit cost nothing.
final class QuotaQueue {
    /// Entries of jobs that left stay until they come first, or until there are too many of them.
    private static final int FEW = 64;

    private static final class Group {
        final KeyHeap jobs = new KeyHeap();
        int left;
    }

    private final JobTable table;
    private final TenantLedger tenantLedger;
    private final TreeMap<TenantId, Map<Usage, Group>> groups = new TreeMap<>();
    private final KeyHeap postponed = new KeyHeap();
    private final Set<Long> apart = new LinkedHashSet<>();
    private ToLongFunction<Job> order;
    private long passed = Long.MIN_VALUE;

    QuotaQueue(JobTable table, TenantLedger tenantLedger, ToLongFunction<Job> order) {
        this.table = table;
        this.tenantLedger = tenantLedger;
        this.order = order;
    }

    /// The first job in the queue of every group under the tenant.
    List<Job> firsts(TenantId tenant) {
        var firsts = new ArrayList<Job>();
        groups.forEach(
                (id, byNeed) -> {
                    if (tenantLedger.isUnder(id, tenant)) {
                        add(byNeed.values(), firsts);
                    }
                });
        return firsts;
    }

    private void add(Collection<Group> some, List<Job> to) {
        for (Group group : some) {
            if (!group.jobs.isEmpty()) {
                to.add(Objects.requireNonNull(table.job(group.jobs.firstNumber())));
            }
        }
    }

    void add(Job job) {
        if (!tenantLedger.isLimited(job.tenant())) {
            return;
        }
        if (dueAt(job) > passed) {
            postponed.add(dueAt(job), job.id().number());
        } else {
            groups.computeIfAbsent(job.tenant(), id -> new LinkedHashMap<>())
                    .computeIfAbsent(Usage.of(job.spec()), need -> new Group())
                    .jobs
                    .add(order.applyAsLong(job), job.id().number());
        }
    }

    /// Removes a job that leaves the queue; returns whether it was a first.
    boolean remove(Job job) {
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
        while (!group.jobs.isEmpty() && !stands(group, number)) {
            group.jobs.removeFirst();
        }
        if (++group.left > FEW && group.left > group.jobs.size() / 2) {
            forgetLeft(group, number);
        }
        if (group.jobs.isEmpty()) {
            byNeed.remove(need);
        }
        return first;
    }

    private boolean stands(Group group, long leaving) {
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
            if (number != last && stands(group, leaving)) {
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

    /// Other jobs are being preempted for the job: it counts as if it had started.
    void setApart(Job job) {
        apart.add(job.id().number());
        remove(job);
    }

    void endApart(JobId job) {
        apart.remove(job.number());
    }

    /// Adds postponed jobs whose time has come.
    void timePassed(Instant now) {
        passed = Math.max(passed, Instants.micros(now));
        while (!postponed.isEmpty() && postponed.firstKey() <= passed) {
            Job job = table.job(postponed.firstNumber());
            long due = postponed.firstKey();
            postponed.removeFirst();
            if (job != null
                    && job.waiting()
                    && dueAt(job) == due
                    && !apart.contains(job.id().number())) {
                add(job);
            }
        }
    }

    /// Reorders everything.
    void rebuild(ToLongFunction<Job> next, Iterable<Job> waiting) {
        order = next;
        groups.clear();
        postponed.clear();
        for (Job job : waiting) {
            if (!apart.contains(job.id().number())) {
                add(job);
            }
        }
    }

    private static long dueAt(Job job) {
        return job.phase() instanceof Phase.Waiting waiting && waiting.notBefore() != null
                ? Instants.micros(waiting.notBefore())
                : Long.MIN_VALUE;
    }
}
