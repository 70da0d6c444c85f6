package io.gpusched.server.intake;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.place.Wanted;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

/// Says of a job that could never fit a quota which field to change, and to what.
final class QuotaHint {
    /// A resource: the field it is asked for in, what is asked, what is allowed, and a thousandth.
    private record Asked(String field, String unit, long wanted, long limit, long one) {
        boolean tooMuch() {
            return wanted > 0 && limit != Limits.UNLIMITED && wanted > limit;
        }

        String hint(Tenant tenant) {
            return "ask for at most %d %s, or have the quota of %s raised"
                    .formatted(limit / one, unit, tenant.id());
        }
    }

    private QuotaHint() {}

    /// The problem with its field and a way out; as it was where it is about something else.
    static Problem clearer(Problem problem, JobSpec spec, View view) {
        if (problem.code() != Problem.Code.QUOTA || !problem.field().isEmpty()) {
            return problem;
        }
        Usage wanted = Usage.of(spec);
        for (Tenant tenant = tenant(spec.tenant(), view);
                tenant != null;
                tenant = tenant(tenant.parent(), view)) {
            for (Asked asked : asked(wanted, tenant.limit())) {
                if (asked.tooMuch()) {
                    String hint =
                            asked.field.equals("gpu_count")
                                    ? gpus(spec, tenant)
                                    : asked.hint(tenant);
                    return new Problem(problem.code(), asked.field, problem.message(), hint);
                }
            }
        }
        return problem;
    }

    /// In the unit that the job asked in, as many as the quota has room for.
    private static String gpus(JobSpec spec, Tenant tenant) {
        GpuRequest asked = spec.roles().getFirst().shape().gpus();
        long limit = tenant.limit().milliGpus();
        String most =
                switch (asked) {
                    case GpuRequest.None none -> Wanted.counted(limit / 1000, "GPU");
                    case GpuRequest.Whole whole -> Wanted.counted(limit / 1000, "GPU");
                    case GpuRequest.Slice slice -> {
                        long each = Math.max(1, slice.milliGpus() / slice.count());
                        yield Wanted.counted(limit / each, "slice") + " of " + slice.profile();
                    }
                    case GpuRequest.Share share -> limit / 10 + " % of a GPU in all";
                };
        return "ask for at most " + most + ", or have the quota of " + tenant.id() + " raised";
    }

    private static Asked[] asked(Usage wanted, Limits limit) {
        return new Asked[] {
            new Asked("gpu_count", "GPUs", wanted.milliGpus(), limit.milliGpus(), 1000),
            new Asked(
                    "gpu_memory_mb",
                    "MB of GPU memory",
                    wanted.gpuMemoryMiB(),
                    limit.gpuMemoryMiB(),
                    1),
            new Asked("cpu_cores", "CPU cores", wanted.milliCpu(), limit.milliCpu(), 1000),
            new Asked("memory_mb", "MB of memory", wanted.memoryMiB(), limit.memoryMiB(), 1)
        };
    }

    private static @Nullable Tenant tenant(@Nullable TenantId id, View view) {
        TenantRow row = id == null ? null : view.tenants().row(id);
        return row == null ? null : row.tenant();
    }
}
