package io.gpusched.core.policy.gate;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.queue.RankedHeads;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/// Holds a job back while its tenant, or any tenant above it, has no quota left for it; and, unless
/// configured otherwise, while a job before it in the queue needs that quota first.
///
///     limit 8, in use 4; queue: A needs 8, B needs 1, C needs no GPUs
///       A waits for quota. B would keep A waiting, so it waits too. C takes nothing that A lacks.
///
/// So a job that waits for quota is never overtaken for ever: while it waits, no job behind it can
/// take more of what it lacks, nor so much of the rest that it would lack that too, and what is in
/// use now is returned eventually. A job with a reservation is treated the same, or it would lose
/// the quota while it waits for GPUs.
public final class QuotaGate implements Gate {
    /// A tenant that the job counts for, and its usage with the jobs that are about to start.
    private record Level(Tenant tenant, Usage used) {}

    /// The name of the rule in its refusals.
    public static final String NAME = "quota";

    private final boolean keepsForFirst;
    private final @Nullable Ranking ranking;

    /// @param keepsForFirst whether quota is kept for the first job in the queue that waits for it
    public QuotaGate(boolean keepsForFirst) {
        this.keepsForFirst = keepsForFirst;
        this.ranking = null;
    }

    /// Where a model orders the queue, quota is kept only for jobs that have waited too long, and
    /// the longest wait is first.
    public QuotaGate(Ranking ranking) {
        this.keepsForFirst = true;
        this.ranking = ranking;
    }

    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        Usage needed = Usage.of(job.spec());
        var levels = new ArrayList<Level>(2);
        for (Tenant tenant = cluster.tenants().find(job.tenant());
                tenant != null;
                tenant = parent(tenant, cluster)) {
            if (tenant.limit().equals(Limits.NONE)) {
                continue;
            }
            Usage used =
                    cluster.tenants().usage(tenant.id()).plus(aboutToStart(tenant, job, cluster));
            QuotaExcess quotaExcess = QuotaExcess.first(tenant, needed, used);
            if (quotaExcess != null) {
                return new Refusal(
                        NAME,
                        quotaExcess.sentence(),
                        List.of(new RetryCondition.OfTenant(tenant.id())));
            }
            levels.add(new Level(tenant, used));
        }
        return keepsForFirst && !levels.isEmpty()
                ? behind(job, needed, levels, cluster, now)
                : null;
    }

    /// Why the job must leave the quota to a job before it; null when it need not. A job for which
    /// others are being preempted has as good as started.
    private @Nullable Refusal behind(
            Job job, Usage needed, List<Level> levels, ClusterView cluster, Instant now) {
        var reserved = new ArrayList<Job>();
        for (Claim claim : cluster.claims()) {
            if (claim.kind() == Claim.Kind.ROOM && claim.isFor(job.id())) {
                return null;
            }
            if (claim.kind() == Claim.Kind.RESERVATION
                    && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
                Job holder = cluster.job(of.job());
                if (holder != null && goesBefore(holder, job, cluster)) {
                    reserved.add(holder);
                }
            }
        }
        for (int at = 0; at < levels.size(); at++) {
            Level level = levels.get(at);
            Usage kept = level.used;
            for (Job holder : reserved) {
                if (isUnder(level.tenant, holder, cluster)) {
                    kept = kept.plus(Usage.of(holder.spec()));
                    if (QuotaExcess.any(level.tenant.limit(), needed, kept)) {
                        return behind(job, holder, level.tenant);
                    }
                }
            }
            List<Level> above = levels.subList(at, levels.size());
            Predicate<Usage> matters =
                    need -> crowds(level, needed, need) && lacking(need, above) != null;
            TenantId tenant = level.tenant.id();
            Job first =
                    ranking == null
                            ? cluster.waitsBefore(tenant, job, matters)
                            : cluster.waitedLonger(
                                    tenant, job, now.minus(ranking.starvationBound()), matters);
            if (first != null) {
                Tenant lacking = lacking(Usage.of(first.spec()), above);
                return behind(job, first, Objects.requireNonNull(lacking));
            }
        }
        return null;
    }

    private boolean goesBefore(Job holder, Job job, ClusterView cluster) {
        return ranking == null
                ? cluster.precedes(holder, job)
                : RankedHeads.waitedLonger(holder, job);
    }

    /// Another tenant's job is not named: tenants do not see each other's jobs.
    private static Refusal behind(Job job, Job first, Tenant until) {
        return new Refusal(
                NAME,
                first.tenant().equals(job.tenant())
                        ? "waits behind "
                                + first.id()
                                + " of the same tenant, which needs the quota first"
                        : "waits behind another job under "
                                + until.id()
                                + ", which needs the quota first",
                List.of(new RetryCondition.OfTenant(until.id())));
    }

    /// Whether what is left beside the job is too little for a job before it that needs `before`.
    private static boolean crowds(Level level, Usage needed, Usage before) {
        return QuotaExcess.any(level.tenant.limit(), needed, level.used.plus(before));
    }

    /// The tenant whose quota a job of this need waits for; null when it does not wait for any of
    /// these.
    private static @Nullable Tenant lacking(Usage needed, List<Level> levels) {
        for (Level level : levels) {
            if (QuotaExcess.any(level.tenant.limit(), needed, level.used)) {
                return level.tenant;
            }
        }
        return null;
    }

    /// Usage of the tenant's jobs for which others are already being preempted. Without it, more
    /// jobs would be preempted than the quota lets start.
    private static Usage aboutToStart(Tenant tenant, Job but, ClusterView cluster) {
        Usage sum = Usage.NONE;
        for (Claim claim : cluster.claims()) {
            if (claim.kind() == Claim.Kind.ROOM
                    && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
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

    /// Why a job does not fit beside what its tenant uses, in the words of the refusal; null when
    /// it does.
    public static @Nullable String shortage(JobSpec spec, Tenant tenant, Usage used) {
        QuotaExcess quotaExcess = QuotaExcess.first(tenant, Usage.of(spec), used);
        return quotaExcess == null ? null : quotaExcess.sentence();
    }

    private static boolean isUnder(Tenant above, Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenants().find(job.tenant());
        while (tenant != null && !tenant.id().equals(above.id())) {
            tenant = parent(tenant, cluster);
        }
        return tenant != null;
    }

    /// The rejection of a job that could never run under its tenant's limits, whatever ends; null
    /// when it could.
    public static @Nullable Problem neverFits(JobSpec spec, ClusterView cluster) {
        Usage needed = null;
        for (Tenant tenant = cluster.tenants().find(spec.tenant());
                tenant != null;
                tenant = parent(tenant, cluster)) {
            if (tenant.limit().equals(Limits.NONE)) {
                continue; // Fast path: most tenants have no limits.
            }
            needed = needed == null ? Usage.of(spec) : needed;
            QuotaExcess quotaExcess = QuotaExcess.first(tenant, needed, Usage.NONE);
            if (quotaExcess != null) {
                return quotaExcess.beside(cluster.tenants().usage(tenant.id())).problem(spec);
            }
        }
        return null;
    }

    private static @Nullable Tenant parent(Tenant tenant, ClusterView cluster) {
        TenantId parent = tenant.parent();
        return parent == null ? null : cluster.tenants().find(parent);
    }
}
