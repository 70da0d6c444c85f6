package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

/// Creates a tenant. A quota that is not given does not exist; 0 means none at all.
@Command(
        name = "create-tenant",
        description = "Create a tenant; a quota that is not given is unlimited.",
        footer = {
            "",
            "Example:",
            "  gpu-cli create-tenant --name research --max-gpus 16 --priority high"
        })
public final class CreateTenant implements Action {
    @Option(names = "--name", required = true, paramLabel = "NAME", description = "Name.")
    String name = "";

    @Option(names = "--max-gpus", paramLabel = "N", description = "GPUs at once.")
    @Nullable Long maxGpus;

    @Option(
            names = "--max-gpu-memory",
            paramLabel = "SIZE",
            converter = Quantities.Memory.class,
            description = "GPU memory at once: 400Gi, or megabytes.")
    @Nullable Long maxGpuMemory;

    @Option(names = "--max-cpus", paramLabel = "N", description = "CPU cores at once.")
    @Nullable Long maxCpus;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            converter = Quantities.Memory.class,
            description = "Main memory at once: 512Gi, or megabytes.")
    @Nullable Long maxMemory;

    @Option(names = "--max-jobs", paramLabel = "N", description = "Jobs running at once.")
    @Nullable Long maxJobs;

    @Option(
            names = "--priority",
            paramLabel = "TIER",
            description = "Tier: low, medium, high or critical.")
    @Nullable String tier;

    @Option(names = "--email", paramLabel = "ADDRESS", description = "Whom to write to.")
    @Nullable String email;

    @Option(names = "--organization", paramLabel = "NAME", description = "Organisation.")
    @Nullable String organization;

    @Option(
            names = "--allow-preemption",
            description = "Jobs of this tenant may be stopped for more important ones.")
    boolean allowPreemption;

    @Option(
            names = "--no-preempting",
            description = "Jobs of this tenant may not stop those of others.")
    boolean noPreempting;

    @Override
    public int run(Session session) {
        Json body =
                new Body()
                        .with("name", name)
                        .with("max_gpus", maxGpus)
                        .with("max_gpu_memory_mb", maxGpuMemory)
                        .with("max_cpu_cores", maxCpus)
                        .with("max_memory_mb", maxMemory)
                        .with("max_concurrent_jobs", maxJobs)
                        .with("priority_tier", tier)
                        .with("email", email)
                        .with("organization", organization)
                        .with("allow_preemption", allowPreemption ? Boolean.TRUE : null)
                        .with("can_preempt_others", noPreempting ? Boolean.FALSE : null)
                        .json();
        Json tenant = session.post(Route.to("tenants"), body);
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
}
