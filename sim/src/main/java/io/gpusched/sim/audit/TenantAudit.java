package io.gpusched.sim.audit;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.state.ClusterView;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The auditor's record of tenants: their settings and what they hold, each including its child
/// tenants.
final class TenantAudit {
    private final Map<TenantId, Tenant> tenants = new TreeMap<>();
    private final Map<TenantId, Usage> usage = new TreeMap<>();

    TenantAudit() {
        put(Tenant.unlimited(Tenant.DEFAULT));
    }

    void put(Tenant tenant) {
        tenants.put(tenant.id(), tenant);
    }

    /// A tenant is new or changed; if it moved, its usage now counts for other parents.
    void put(Tenant tenant, Collection<JobAudit> jobs) {
        Tenant before = tenants.put(tenant.id(), tenant);
        if (before != null && !Objects.equals(before.parent(), tenant.parent())) {
            usage.clear();
            usage.putAll(sums(jobs));
        }
    }

    void remove(TenantId id) {
        Violation.unless(
                usage.getOrDefault(id, Usage.NONE).equals(Usage.NONE),
                "%s still holds %s",
                id,
                usage);
        tenants.remove(id);
        usage.remove(id);
    }

    void charge(JobSpec spec) {
        Usage more = Usage.of(spec);
        for (Tenant tenant : chain(spec.tenant())) {
            Usage now = usage.getOrDefault(tenant.id(), Usage.NONE).plus(more);
            usage.put(tenant.id(), now);
            Violation.unless(
                    within(now, more, tenant.limit()),
                    "quota of %s is exceeded: %s of %s",
                    tenant.id(),
                    now,
                    tenant.limit());
        }
    }

    void refund(JobSpec spec) {
        for (Tenant tenant : chain(spec.tenant())) {
            usage.put(
                    tenant.id(), usage.getOrDefault(tenant.id(), Usage.NONE).minus(Usage.of(spec)));
        }
    }

    /// A limit binds only jobs that request some of the limited resource.
    private static boolean within(Usage now, Usage more, Limits limit) {
        return (more.milliGpus() == 0 || now.milliGpus() <= limit.milliGpus())
                && (more.gpuMemoryMiB() == 0 || now.gpuMemoryMiB() <= limit.gpuMemoryMiB())
                && (more.milliCpu() == 0 || now.milliCpu() <= limit.milliCpu())
                && (more.memoryMiB() == 0 || now.memoryMiB() <= limit.memoryMiB())
                && now.runningJobs() <= limit.runningJobs();
    }

    boolean mayBePreempted(JobAudit job) {
        Tenant tenant = tenants.get(job.spec.tenant());
        return tenant != null
                && tenant.rules().mayBePreempted()
                && (tenant.rules().mostPerJob() == 0
                        || job.evictions < tenant.rules().mostPerJob());
    }

    /// Whether the job borrows capacity that `by` may reclaim under its guarantee. The job and all
    /// jobs that are being stopped count as gone.
    boolean mayTakeBack(JobAudit by, JobAudit job, Collection<JobAudit> jobs) {
        List<Tenant> its = chain(by.spec.tenant());
        List<Tenant> others = chain(job.spec.tenant());
        its.removeAll(chain(job.spec.tenant()));
        others.removeAll(chain(by.spec.tenant()));
        if (its.isEmpty() || !isCovered(its.getLast(), by)) {
            return false;
        }
        for (Tenant tenant : others) {
            long gone = 0;
            for (JobAudit each : jobs) {
                boolean leaves = each.stage == JobAudit.Stage.STOPPING;
                if (leaves && chain(each.spec.tenant()).contains(tenant)) {
                    gone += each.spec.milliGpus();
                }
            }
            long stays = usage.getOrDefault(tenant.id(), Usage.NONE).milliGpus() - gone;
            if (stays < tenant.guaranteed().milliGpus()) {
                return false;
            }
        }
        return true;
    }

    private boolean isCovered(Tenant tenant, JobAudit by) {
        return usage.getOrDefault(tenant.id(), Usage.NONE).milliGpus() + by.spec.milliGpus()
                <= tenant.guaranteed().milliGpus();
    }

    boolean mayPreempt(JobAudit job) {
        Tenant tenant = tenants.get(job.spec.tenant());
        return tenant != null && tenant.rules().mayPreempt();
    }

    void compare(ClusterView ledger) {
        for (TenantId id : tenants.keySet()) {
            Usage mine = usage.getOrDefault(id, Usage.NONE);
            Violation.unless(
                    ledger.tenants().usage(id).equals(mine),
                    "the ledger says %s holds %s, it holds %s",
                    id,
                    ledger.tenants().usage(id),
                    mine);
        }
    }

    private Map<TenantId, Usage> sums(Collection<JobAudit> jobs) {
        Map<TenantId, Usage> sums = new TreeMap<>();
        for (JobAudit job : jobs) {
            if (job.holdsCapacity()) {
                for (Tenant tenant : chain(job.spec.tenant())) {
                    sums.merge(tenant.id(), Usage.of(job.spec), Usage::plus);
                }
            }
        }
        return sums;
    }

    /// Compares with the sum over all jobs that hold capacity.
    void settle(Collection<JobAudit> jobs) {
        Map<TenantId, Usage> sums = sums(jobs);
        for (TenantId id : tenants.keySet()) {
            Usage sum = sums.getOrDefault(id, Usage.NONE);
            Usage booked = usage.getOrDefault(id, Usage.NONE);
            Violation.unless(
                    sum.equals(booked), "jobs of %s hold %s, %s is booked", id, sum, booked);
        }
    }

    /// The tenant and every tenant above it.
    private List<Tenant> chain(TenantId id) {
        var chain = new ArrayList<Tenant>();
        Tenant tenant = tenants.get(id);
        while (tenant != null) {
            chain.add(tenant);
            TenantId parent = tenant.parent();
            tenant = parent == null ? null : tenants.get(parent);
        }
        return chain;
    }
}
