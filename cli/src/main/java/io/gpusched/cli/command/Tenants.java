package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.function.Function;

/// Shows the tenants with what they use of what they may use, or one of them.
@Command(
        name = "tenants",
        description = "List tenants, or show one.",
        footer = {"", "Example:", "  gpu-cli tenants -o wide"})
public final class Tenants implements Action {
    @Parameters(paramLabel = "TENANT", arity = "0..1", description = "Id of one tenant.")
    @Nullable String id;

    @Override
    public int run(Session session) {
        if (id == null) {
            Json answer = session.ask(Route.to("tenants"));
            session.printer().list(answer, answer.at("tenants").items(), sheet());
        } else {
            session.printer().detail(session.ask(Route.to("tenants", id)), sheet());
        }
        return 0;
    }

    private static Sheet sheet() {
        return new Sheet(
                List.of("id", "tenant_id"),
                List.of(
                        Column.of("TENANT ID", t -> t.firstOf("id", "tenant_id").text()),
                        Column.of("NAME", "name"),
                        Column.of("TIER", "priority_tier"),
                        Column.of("GPUs", used("current_gpus", "max_gpus")),
                        Column.of("JOBS", used("current_jobs", "max_concurrent_jobs")),
                        Column.of("GPU MB", used("current_gpu_memory", "max_gpu_memory_mb"))
                                .onlyWide(),
                        Column.of("CPUs", used("current_cpu_cores", "max_cpu_cores")).onlyWide(),
                        Column.of("MEMORY MB", used("current_memory", "max_memory_mb")).onlyWide(),
                        Column.of("MAY BE PREEMPTED", "allow_preemption").onlyWide(),
                        Column.of("MAY PREEMPT", "can_preempt_others").onlyWide(),
                        Column.of("GPU HOURS", "total_gpu_hours").onlyWide(),
                        Column.of("CREATED", t -> Cells.time(t.at("created_at"))).onlyWide()));
    }

    private static Function<Json, String> used(String now, String most) {
        return tenant -> Cells.share(tenant.at(now), tenant.at(most));
    }
}
