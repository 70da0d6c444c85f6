package io.gpusched.store;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.TenantImage;
import io.gpusched.wire.codec.ImageCodec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// The row of a tenant: columns for people, and the encoded tenant in the last column.
final class TenantColumns {
    static final String[] NAMES = {
        "id",
        "name",
        "email",
        "organization",
        "parent_id",
        "max_gp_us",
        "max_gpu_memory_mb",
        "max_cpu_cores",
        "max_memory_mb",
        "max_concurrent_jobs",
        "current_gp_us",
        "current_gpu_memory",
        "current_cpu_cores",
        "current_memory",
        "current_jobs",
        "total_gpu_hours",
        "total_jobs",
        "successful_jobs",
        "failed_jobs",
        "priority_tier",
        "fair_share_weight",
        "allow_preemption",
        "can_preempt_others",
        "max_preemptions",
        "active",
        "created_at",
        "updated_at",
        "body"
    };

    private static final double MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

    private TenantColumns() {}

    static @Nullable Object[] of(TenantTableRow row, ImageCodec codec) {
        Tenant tenant = row.tenant;
        Labels profile = tenant.profile();
        Limits limit = tenant.limit();
        Usage usage = row.usage;
        String name = profile.value("name");
        String tier = profile.value("priority_tier");
        return new @Nullable Object[] {
            tenant.id().name(),
            name.isEmpty() ? tenant.id().name() : name,
            profile.value("email"),
            profile.value("organization"),
            tenant.parent() == null ? null : tenant.parent().name(),
            thousandths(limit.milliGpus()),
            whole(limit.gpuMemoryMiB()),
            thousandths(limit.milliCpu()),
            whole(limit.memoryMiB()),
            whole(limit.runningJobs()),
            thousandths(usage.milliGpus()),
            usage.gpuMemoryMiB(),
            thousandths(usage.milliCpu()),
            usage.memoryMiB(),
            usage.runningJobs(),
            row.totals.gpuMillis() / MILLIS_PER_HOUR,
            row.totals.jobs(),
            row.totals.completed(),
            row.totals.failed(),
            tier.isEmpty() ? "medium" : tier,
            tenant.weight(),
            tenant.rules().mayBePreempted(),
            tenant.rules().mayPreempt(),
            tenant.rules().mostPerJob(),
            tenant.active(),
            row.created,
            row.updated,
            codec.encode(new TenantImage(tenant, row.totals))
        };
    }

    private static @Nullable Object thousandths(long milli) {
        return milli == Limits.UNLIMITED ? null : JobColumns.thousandths(milli);
    }

    private static @Nullable Object whole(long value) {
        return value == Limits.UNLIMITED ? null : value;
    }
}
