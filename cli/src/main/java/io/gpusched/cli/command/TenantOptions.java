package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.json.Json;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/// Options of `create-tenant` and `update-tenant` beside the name.
final class TenantOptions {
    static final Option<Long> MAX_GPUS =
            Option.whole("--max-gpus", "N", "Most GPUs in use at once.");
    static final Option<Long> MAX_GPU_MEMORY =
            Option.memory(
                    "--max-gpu-memory",
                    "SIZE",
                    "Most GPU memory in use at once: 400Gi or megabytes; counted once per job.");
    static final Option<Long> MAX_CPUS =
            Option.whole("--max-cpus", "N", "Most CPU cores in use at once.");
    static final Option<Long> MAX_MEMORY =
            Option.memory(
                    "--max-memory", "SIZE", "Most main memory in use at once: 512Gi or megabytes.");
    static final Option<Long> MAX_JOBS =
            Option.whole("--max-jobs", "N", "Most jobs running at once.");
    static final Option<Long> GUARANTEED =
            Option.whole(
                    "--guaranteed-gpus",
                    "N",
                    "GPUs that the tenant can reclaim from borrowers by preemption.");
    static final Option<BigDecimal> WEIGHT =
            Option.decimal(
                    "--weight",
                    "N",
                    "Fair-share weight among its siblings, such as 2.5; a new tenant has 1.");
    static final Option<String> PARENT =
            Option.text("--parent", "TENANT", "Id of the parent tenant.");
    static final Option<String> TIER =
            Option.text(
                    "--priority",
                    "TIER",
                    "Tier that bounds the priority of its jobs: low, medium, high or critical.");
    static final Option<String> EMAIL =
            Option.text("--email", "ADDRESS", "E-mail address of the contact.");
    static final Option<String> ORGANIZATION =
            Option.text("--organization", "NAME", "Organisation of the tenant.");
    static final Option<Boolean> ALLOW_PREEMPTION =
            Option.flag("--allow-preemption", "The tenant's jobs may be preempted.");
    static final Option<Boolean> NO_PREEMPTING =
            Option.flag(
                    "--no-preempting", "The tenant's jobs may not preempt jobs of other tenants.");

    private TenantOptions() {}

    /// `more` first, then all options of this class.
    static Option<?>[] with(Option<?>... more) {
        return Stream.concat(
                        Stream.of(more),
                        List.of(
                                MAX_GPUS,
                                MAX_GPU_MEMORY,
                                MAX_CPUS,
                                MAX_MEMORY,
                                MAX_JOBS,
                                GUARANTEED,
                                WEIGHT,
                                PARENT,
                                TIER,
                                EMAIL,
                                ORGANIZATION,
                                ALLOW_PREEMPTION,
                                NO_PREEMPTING)
                                .stream())
                .toArray(Option<?>[]::new);
    }

    static RequestBody addTo(RequestBody requestBody) {
        return requestBody
                .number("max_gpus", MAX_GPUS)
                .number("max_gpu_memory_mb", MAX_GPU_MEMORY)
                .number("max_cpu_cores", MAX_CPUS)
                .number("max_memory_mb", MAX_MEMORY)
                .number("max_concurrent_jobs", MAX_JOBS)
                .number("guaranteed_gpus", GUARANTEED)
                .value("fair_share_weight", WEIGHT, Json::of)
                .text("parent_id", PARENT)
                .text("priority_tier", TIER)
                .text("email", EMAIL)
                .text("organization", ORGANIZATION)
                .flag("allow_preemption", ALLOW_PREEMPTION)
                .value("can_preempt_others", NO_PREEMPTING, no -> Json.of(!no));
    }
}
