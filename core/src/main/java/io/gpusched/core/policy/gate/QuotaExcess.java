package io.gpusched.core.policy.gate;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

/// A request for more of one resource than a tenant's quota allows.
///
///     quota 4, 3 in use, a job for 2:  GPUs requested=2, quota=4, current=3
///
/// @param used what the tenant holds without it
record QuotaExcess(Tenant tenant, Resource of, long requested, long used) {
    /// The resources of a quota, in the order in which a job is checked against them.
    ///
    /// The number of jobs is no field of a request: if a tenant may not run even one job, the job
    /// must be submitted for another tenant.
    enum Resource {
        GPUS("GPUs", "gpu_count", "GPU", 1000),
        GPU_MEMORY("GPU memory MB", "gpu_memory_mb", "MB of GPU memory", 1),
        CORES("CPU cores", "cpu_cores", "CPU core", 1000),
        MEMORY("memory MB", "memory_mb", "MB of memory", 1),
        JOBS("concurrent jobs", "tenant_id", "job", 1);

        private static final Resource[] ALL = values();

        private final String title;
        private final String field;
        private final String unit;
        private final long one;

        Resource(String title, String field, String unit, long one) {
            this.title = title;
            this.field = field;
            this.unit = unit;
            this.one = one;
        }

        private long in(Usage usage) {
            return switch (this) {
                case GPUS -> usage.milliGpus();
                case GPU_MEMORY -> usage.gpuMemoryMiB();
                case CORES -> usage.milliCpu();
                case MEMORY -> usage.memoryMiB();
                case JOBS -> usage.runningJobs();
            };
        }

        private long in(Limits limits) {
            return switch (this) {
                case GPUS -> limits.milliGpus();
                case GPU_MEMORY -> limits.gpuMemoryMiB();
                case CORES -> limits.milliCpu();
                case MEMORY -> limits.memoryMiB();
                case JOBS -> limits.runningJobs();
            };
        }

        private boolean isExceeded(Limits limits, Usage needed, Usage used) {
            long wanted = in(needed);
            long limit = in(limits);
            return wanted > 0 && limit != Limits.UNLIMITED && wanted > limit - in(used);
        }

        private String number(long amount) {
            return amount % one == 0
                    ? Long.toString(amount / one)
                    : Double.toString(amount / (double) one);
        }
    }

    static boolean any(Limits limits, Usage needed, Usage used) {
        for (Resource resource : Resource.ALL) {
            if (resource.isExceeded(limits, needed, used)) {
                return true;
            }
        }
        return false;
    }

    /// The first resource of which the tenant has too little left; null when the quota suffices.
    static @Nullable QuotaExcess first(Tenant tenant, Usage needed, Usage used) {
        for (Resource resource : Resource.ALL) {
            if (resource.isExceeded(tenant.limit(), needed, used)) {
                return new QuotaExcess(tenant, resource, resource.in(needed), resource.in(used));
            }
        }
        return null;
    }

    /// The same while the tenant holds this.
    QuotaExcess beside(Usage held) {
        return new QuotaExcess(tenant, of, requested, of.in(held));
    }

    String sentence() {
        return "quota exceeded for tenant "
                + tenant.id()
                + ": "
                + of.title
                + " requested="
                + of.number(requested)
                + ", quota="
                + of.number(limit())
                + ", current="
                + of.number(used);
    }

    /// The rejection of a job that could never fit.
    Problem problem(JobSpec spec) {
        String less =
                of == Resource.JOBS
                        ? "submit it for a tenant that may run jobs"
                        : "ask for at most " + most(spec);
        return new Problem(
                Problem.Code.QUOTA,
                of.field,
                sentence(),
                less + ", or have the quota of " + tenant.id() + " raised");
    }

    /// The most that the quota allows, in the unit of the job's request.
    private String most(JobSpec spec) {
        GpuRequest request = spec.roles().getFirst().shape().gpus();
        if (of == Resource.GPUS && request instanceof GpuRequest.Slice slice) {
            long each = Math.max(1, slice.milliGpus() / slice.count());
            return Plurals.of(limit() / each, "slice") + " of " + slice.profile();
        }
        if (of == Resource.GPUS && request instanceof GpuRequest.Share) {
            return limit() / 10 + " % of a GPU in all";
        }
        long most = limit() / of.one;
        return of.unit.startsWith("MB") ? most + " " + of.unit : Plurals.of(most, of.unit);
    }

    private long limit() {
        return of.in(tenant.limit());
    }
}
