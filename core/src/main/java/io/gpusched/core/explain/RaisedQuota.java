package io.gpusched.core.explain;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.state.CarbonLedger;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.ModelLedger;
import io.gpusched.core.state.NodePrices;
import io.gpusched.core.state.PoolLedger;
import io.gpusched.core.state.RunIndex;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.tenants.TenantTotals;
import io.gpusched.core.tenants.Tenants;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The cluster as it would be if the tenants above a job had just enough quota for it.
final class RaisedQuota implements ClusterView {
    private final ClusterView real;
    private final Map<TenantId, Tenant> raised = new LinkedHashMap<>();
    private final List<String> from = new ArrayList<>();
    private final List<String> to = new ArrayList<>();

    RaisedQuota(ClusterView real, JobSpec spec) {
        this.real = real;
        Usage needed = Usage.of(spec);
        for (Tenant tenant = real.tenants().find(spec.tenant());
                tenant != null;
                tenant = tenant.parent() == null ? null : real.tenants().find(tenant.parent())) {
            raise(tenant, real.tenants().usage(tenant.id()).plus(needed));
        }
    }

    private void raise(Tenant tenant, Usage sum) {
        Limits limit = tenant.limit();
        var more =
                new Limits(
                        Math.max(limit.milliGpus(), sum.milliGpus()),
                        Math.max(limit.gpuMemoryMiB(), sum.gpuMemoryMiB()),
                        Math.max(limit.milliCpu(), sum.milliCpu()),
                        Math.max(limit.memoryMiB(), sum.memoryMiB()),
                        Math.max(limit.runningJobs(), sum.runningJobs()));
        if (more.equals(limit)) {
            return;
        }
        raised.put(
                tenant.id(),
                new Tenant(
                        tenant.id(),
                        tenant.parent(),
                        tenant.guaranteed(),
                        more,
                        tenant.weight(),
                        tenant.rules(),
                        tenant.active(),
                        tenant.profile()));
        TenantId id = tenant.id();
        say(id, limit.milliGpus(), more.milliGpus(), 1000, "GPUs");
        say(id, limit.gpuMemoryMiB(), more.gpuMemoryMiB(), 1, "MB of GPU memory");
        say(id, limit.milliCpu(), more.milliCpu(), 1000, "CPU cores");
        say(id, limit.memoryMiB(), more.memoryMiB(), 1, "MB of memory");
        say(id, limit.runningJobs(), more.runningJobs(), 1, "jobs at once");
    }

    private void say(TenantId tenant, long before, long after, long unit, String what) {
        if (before != after) {
            from.add(tenant + " " + number(before, unit) + " " + what);
            to.add(tenant + " " + number(after, unit) + " " + what);
        }
    }

    private static String number(long value, long unit) {
        return value % unit == 0
                ? Long.toString(value / unit)
                : Double.toString((double) value / unit);
    }

    /// The change as a phrase for users; null if no quota blocks the job.
    ChangeSearch.@Nullable Words words() {
        return raised.isEmpty()
                ? null
                : new ChangeSearch.Words(
                        "quota",
                        String.join(", ", from),
                        String.join(", ", to),
                        "a quota of " + String.join(", ", to),
                        0.45);
    }

    @Override
    public Tenants tenants() {
        return new Raised();
    }

    /// The real tenants, with raised quotas for some.
    private final class Raised implements Tenants {
        @Override
        public @Nullable Tenant find(TenantId id) {
            Tenant other = raised.get(id);
            return other != null ? other : real.tenants().find(id);
        }

        @Override
        public List<Tenant> all() {
            return real.tenants().all().stream().map(t -> raised.getOrDefault(t.id(), t)).toList();
        }

        @Override
        public Usage usage(TenantId id) {
            return real.tenants().usage(id);
        }

        @Override
        public long keptBeside(TenantId id) {
            return real.tenants().keptBeside(id);
        }

        @Override
        public TenantTotals totals(TenantId id) {
            return real.tenants().totals(id);
        }

        @Override
        public long presentJobs(TenantId id) {
            return real.tenants().presentJobs(id);
        }
    }

    @Override
    public @Nullable Job job(JobId id) {
        return real.job(id);
    }

    @Override
    public Nodes nodes() {
        return real.nodes();
    }

    @Override
    public RunIndex runs() {
        return real.runs();
    }

    @Override
    public @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters) {
        return real.waitsBefore(tenant, job, matters);
    }

    @Override
    public @Nullable Job waitedLonger(
            TenantId tenant, Job job, Instant since, Predicate<Usage> matters) {
        return real.waitedLonger(tenant, job, since, matters);
    }

    @Override
    public boolean precedes(Job one, Job other) {
        return real.precedes(one, other);
    }

    @Override
    public List<Claim> claims() {
        return real.claims();
    }

    @Override
    public long waitingJobs() {
        return real.waitingJobs();
    }

    @Override
    public TypicalWorkload typicalWorkload() {
        return real.typicalWorkload();
    }

    @Override
    public Instant lastAt() {
        return real.lastAt();
    }

    @Override
    public long term() {
        return real.term();
    }

    @Override
    public PoolLedger pools() {
        return real.pools();
    }

    @Override
    public ModelLedger models() {
        return real.models();
    }

    @Override
    public NodePrices nodePrices() {
        return real.nodePrices();
    }

    @Override
    public CarbonLedger carbon() {
        return real.carbon();
    }
}
