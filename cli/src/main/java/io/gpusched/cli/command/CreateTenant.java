package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;
import java.util.Map;

/// Creates a tenant. A quota that is not given does not exist; 0 means none at all.
final class CreateTenant implements Action {
    private static final Option<String> NAME =
            Option.text("--name", "NAME", "Name of the tenant.").required();
    private static final Option<Long> MAX_GPUS = Option.whole("--max-gpus", "N", "GPUs at once.");
    private static final Option<Long> MAX_GPU_MEMORY =
            Option.memory("--max-gpu-memory", "SIZE", "GPU memory at once: 400Gi, or megabytes.");
    private static final Option<Long> MAX_CPUS =
            Option.whole("--max-cpus", "N", "CPU cores at once.");
    private static final Option<Long> MAX_MEMORY =
            Option.memory("--max-memory", "SIZE", "Main memory at once: 512Gi, or megabytes.");
    private static final Option<Long> MAX_JOBS =
            Option.whole("--max-jobs", "N", "Jobs running at once.");
    private static final Option<String> TIER =
            Option.text("--priority", "TIER", "Tier: low, medium, high or critical.");
    private static final Option<String> EMAIL =
            Option.text("--email", "ADDRESS", "Whom to write to.");
    private static final Option<String> ORGANIZATION =
            Option.text("--organization", "NAME", "Organisation.");
    private static final Option<Boolean> ALLOW_PREEMPTION =
            Option.flag("--allow-preemption", "Its jobs may be stopped for more important ones.");
    private static final Option<Boolean> NO_PREEMPTING =
            Option.flag("--no-preempting", "Its jobs may not stop those of others.");

    @Override
    public Syntax syntax() {
        return Syntax.of("create-tenant", "Create a tenant; a quota not given is unlimited.")
                .with(
                        NAME,
                        MAX_GPUS,
                        MAX_GPU_MEMORY,
                        MAX_CPUS,
                        MAX_MEMORY,
                        MAX_JOBS,
                        TIER,
                        EMAIL,
                        ORGANIZATION,
                        ALLOW_PREEMPTION,
                        NO_PREEMPTING)
                .examples(
                        "Example:",
                        "  gpu-cli create-tenant --name research --max-gpus 16 --priority high");
    }

    @Override
    public int run(Session session, Typed typed) {
        Json tenant = session.rest().call("POST", Route.to("tenants"), body(typed), Map.of());
        String id = tenant.firstOf("id", "tenant_id").text();
        session.printer()
                .done(
                        tenant,
                        id,
                        () ->
                                List.of(
                                        "Tenant created successfully!",
                                        "Tenant ID: " + id,
                                        "Name: " + tenant.at("name").text()));
        return 0;
    }

    private static Json body(Typed typed) {
        return new Body(typed)
                .text("name", NAME)
                .number("max_gpus", MAX_GPUS)
                .number("max_gpu_memory_mb", MAX_GPU_MEMORY)
                .number("max_cpu_cores", MAX_CPUS)
                .number("max_memory_mb", MAX_MEMORY)
                .number("max_concurrent_jobs", MAX_JOBS)
                .text("priority_tier", TIER)
                .text("email", EMAIL)
                .text("organization", ORGANIZATION)
                .flag("allow_preemption", ALLOW_PREEMPTION)
                .said("can_preempt_others", NO_PREEMPTING, no -> Json.of(!no))
                .json();
    }
}
