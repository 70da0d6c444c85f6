package io.gpusched.server.http;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.TenantTotals;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.view.TenantRow;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// Writes a tenant as JSON. A quota of null means no limit; 0 means that nothing is allowed.
final class TenantJson {
    private static final double MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

    private static final List<String> FLAGS =
            List.of(
                    "billing_enabled",
                    "notify_on_start",
                    "notify_on_complete",
                    "notify_on_failure");

    private TenantJson() {}

    /// Writes all fields of the tenant into an object that is open.
    ///
    /// @param perGpu whether quotas count GPU memory for every GPU
    static void fields(TenantRow row, boolean perGpu, JsonOutput out) {
        Tenant tenant = row.tenant();
        Labels profile = tenant.profile();
        out.field("id", tenant.id().name());
        String name = profile.value("name");
        out.field("name", name.isEmpty() ? tenant.id().name() : name);
        out.field("email", profile.value("email"));
        out.field("organization", profile.value("organization"));
        out.field("parent_id", tenant.parent() == null ? null : tenant.parent().name());
        limits(tenant.limit(), out);
        out.field("guaranteed_gpus", tenant.guaranteed().milliGpus() / 1000.0);
        usage(row.usage(), out);
        out.field("gpu_memory_quota", perGpu ? "per_gpu" : "per_job");
        totals(row.totals(), out);
        rules(tenant, out);
        cost(profile, row.totals(), out);
        out.field("active", tenant.active());
        out.field("created_at", orNull(profile.value(TenantIntake.CREATED)));
        out.field("updated_at", orNull(profile.value(TenantIntake.UPDATED)));
    }

    private static void limits(Limits limit, JsonOutput out) {
        limit(out, "max_gpus", limit.milliGpus(), 1000);
        limit(out, "max_gpu_memory_mb", limit.gpuMemoryMiB(), 1);
        limit(out, "max_cpu_cores", limit.milliCpu(), 1000);
        limit(out, "max_memory_mb", limit.memoryMiB(), 1);
        limit(out, "max_concurrent_jobs", limit.runningJobs(), 1);
    }

    private static void limit(JsonOutput out, String name, long value, int unit) {
        out.field(name, value == Limits.UNLIMITED ? Double.NaN : value / (double) unit);
    }

    private static void usage(Usage usage, JsonOutput out) {
        out.field("current_gpus", usage.milliGpus() / 1000.0);
        out.field("current_gpu_memory", usage.gpuMemoryMiB());
        out.field("current_cpu_cores", Math.round(usage.milliCpu() / 10.0) / 100.0);
        out.field("current_memory", usage.memoryMiB());
        out.field("current_jobs", usage.runningJobs());
    }

    private static void totals(TenantTotals totals, JsonOutput out) {
        out.field("total_gpu_hours", totals.gpuMillis() / MILLIS_PER_HOUR);
        out.field("total_jobs", totals.jobs());
        out.field("successful_jobs", totals.completed());
        out.field("failed_jobs", totals.failed());
    }

    private static void rules(Tenant tenant, JsonOutput out) {
        Labels profile = tenant.profile();
        String tier = profile.value("priority_tier");
        out.field("priority_tier", tier.isEmpty() ? "medium" : tier);
        out.field("fair_share_weight", tenant.weight());
        out.field("priority_decay", figure(profile, "priority_decay"));
        out.field("allow_preemption", tenant.rules().mayBePreempted());
        out.field("can_preempt_others", tenant.rules().mayPreempt());
        out.field("max_preemptions", tenant.rules().mostPerJob());
        for (String flag : FLAGS) {
            out.field(flag, profile.value(flag).equals("true"));
        }
        out.field("notify_email", profile.value("notify_email"));
    }

    private static void cost(Labels profile, TenantTotals totals, JsonOutput out) {
        double price = figure(profile, "cost_per_gpu_hour");
        out.field("cost_per_gpu_hour", price);
        out.field("total_cost", price * totals.gpuMillis() / MILLIS_PER_HOUR);
    }

    private static double figure(Labels profile, String key) {
        String text = profile.value(key);
        return text.isEmpty() ? 0 : Double.parseDouble(text);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
