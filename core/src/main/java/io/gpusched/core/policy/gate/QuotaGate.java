package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Holder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Lift;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Holds a job back while its tenant, or any tenant above it, has no quota left for it.
public final class QuotaGate implements Gate {
    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        Usage needed = Usage.of(job.spec());
        for (Tenant tenant = cluster.tenant(job.tenant());
                tenant != null;
                tenant = parent(tenant, cluster)) {
            Usage used = cluster.usage(tenant.id()).plus(aboutToStart(tenant, job, cluster));
            String exceeded = exceeded(tenant, needed, used);
            if (exceeded != null) {
                return new Refusal("quota", exceeded, List.of(new Lift.OfTenant(tenant.id())));
            }
        }
        return null;
    }

    /// What jobs of the tenant will hold for which others are already being stopped. Without it,
    /// more would be stopped than the quota lets start.
    private static Usage aboutToStart(Tenant tenant, Job but, ClusterView cluster) {
        Usage sum = Usage.NONE;
        for (Claim claim : cluster.claims()) {
            if (claim.kind() == Claim.Kind.ROOM && claim.holder() instanceof Holder.OfJob of) {
                Job holder = cluster.job(of.job());
                if (holder != null
                        && !of.job().equals(but.id())
                        && isUnder(tenant, holder, cluster)) {
                    sum = sum.plus(Usage.of(holder.spec()));
                }
            }
        }
        return sum;
    }

    private static boolean isUnder(Tenant above, Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenant(job.tenant());
        while (tenant != null && !tenant.id().equals(above.id())) {
            tenant = parent(tenant, cluster);
        }
        return tenant != null;
    }

    /// The sentence for a job that could never run under its tenant's limits, whatever ends; null
    /// when it could.
    public static @Nullable String neverFits(JobSpec spec, ClusterView cluster) {
        Usage needed = Usage.of(spec);
        for (Tenant tenant = cluster.tenant(spec.tenant());
                tenant != null;
                tenant = parent(tenant, cluster)) {
            if (exceeded(tenant, needed, Usage.NONE) != null) {
                return exceeded(tenant, needed, cluster.usage(tenant.id()));
            }
        }
        return null;
    }

    private static @Nullable Tenant parent(Tenant tenant, ClusterView cluster) {
        TenantId parent = tenant.parent();
        return parent == null ? null : cluster.tenant(parent);
    }

    private static @Nullable String exceeded(Tenant tenant, Usage needed, Usage now) {
        Limits limit = tenant.limit();
        if (over(needed.milliGpus(), now.milliGpus(), limit.milliGpus())) {
            return sentence(
                    tenant.id(),
                    "GPUs",
                    gpus(needed.milliGpus()),
                    gpus(limit.milliGpus()),
                    gpus(now.milliGpus()));
        }
        if (over(needed.gpuMemoryMiB(), now.gpuMemoryMiB(), limit.gpuMemoryMiB())) {
            return sentence(
                    tenant.id(),
                    "GPU memory MB",
                    needed.gpuMemoryMiB(),
                    limit.gpuMemoryMiB(),
                    now.gpuMemoryMiB());
        }
        if (over(needed.milliCpu(), now.milliCpu(), limit.milliCpu())) {
            return sentence(
                    tenant.id(),
                    "CPU cores",
                    gpus(needed.milliCpu()),
                    gpus(limit.milliCpu()),
                    gpus(now.milliCpu()));
        }
        if (over(needed.memoryMiB(), now.memoryMiB(), limit.memoryMiB())) {
            return sentence(
                    tenant.id(),
                    "memory MB",
                    needed.memoryMiB(),
                    limit.memoryMiB(),
                    now.memoryMiB());
        }
        if (over(needed.runningJobs(), now.runningJobs(), limit.runningJobs())) {
            return sentence(
                    tenant.id(),
                    "concurrent jobs",
                    needed.runningJobs(),
                    limit.runningJobs(),
                    now.runningJobs());
        }
        return null;
    }

    private static boolean over(long needed, long used, long limit) {
        return needed > 0 && limit != Limits.UNLIMITED && needed > limit - used;
    }

    private static String sentence(
            TenantId tenant, String what, Object requested, Object quota, Object current) {
        return "quota exceeded for tenant "
                + tenant
                + ": "
                + what
                + " requested="
                + requested
                + ", quota="
                + quota
                + ", current="
                + current;
    }

    private static String gpus(long milli) {
        return milli % 1000 == 0 ? Long.toString(milli / 1000) : Double.toString(milli / 1000.0);
    }
}
