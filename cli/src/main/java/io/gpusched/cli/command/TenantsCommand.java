package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.function.Function;

/// Lists tenants with their usage and quotas, or shows one tenant.
final class TenantsCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("tenants", "List tenants with usage and quotas, or show one.")
                .taking(Operand.atMostOne("TENANT", "Id of a tenant (default: list all tenants)."))
                .examples("Example:", "  gpu-cli tenants -o wide");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        if (id.isEmpty()) {
            Json answer = cliSession.ask(ApiPath.to("tenants"));
            cliSession.printer().list(answer, answer.at("tenants").items(), tableLayout(false));
        } else {
            cliSession
                    .printer()
                    .detail(cliSession.ask(ApiPath.to("tenants", id)), tableLayout(true));
        }
        return 0;
    }

    /// @param alone whether one tenant is shown, with more columns
    private static TableLayout tableLayout(boolean alone) {
        return new TableLayout(
                List.of("id", "tenant_id"),
                List.of(
                        Column.of("TENANT ID", t -> t.firstOf("id", "tenant_id").text()),
                        Column.of("NAME", "name"),
                        Column.of("TIER", "priority_tier"),
                        Column.of("GPUs", used("current_gpus", "max_gpus")),
                        Column.of("JOBS", used("current_jobs", "max_concurrent_jobs")),
                        shown(alone, Column.of("GUARANTEED", TenantsCommand::guaranteed)),
                        shown(alone, Column.of("WEIGHT", "fair_share_weight")),
                        shown(alone, Column.of("PARENT", "parent_id")),
                        Column.of("GPU MB", used("current_gpu_memory", "max_gpu_memory_mb"))
                                .onlyWide(),
                        Column.of("GPU MB COUNTS", TenantsCommand::memoryCounts).onlyWide(),
                        Column.of("CPUs", used("current_cpu_cores", "max_cpu_cores")).onlyWide(),
                        Column.of("MEMORY MB", used("current_memory", "max_memory_mb")).onlyWide(),
                        Column.of("MAY BE PREEMPTED", "allow_preemption").onlyWide(),
                        Column.of("MAY PREEMPT", "can_preempt_others").onlyWide(),
                        Column.of("GPU HOURS", "total_gpu_hours").onlyWide(),
                        Column.of("CREATED", t -> CellText.time(t.at("created_at"))).onlyWide()));
    }

    /// A job requests memory on each GPU; by default the quota counts that once per job.
    private static String memoryCounts(Json tenant) {
        return switch (tenant.at("gpu_memory_quota").text()) {
            case "per_job" -> "once per job";
            case "per_gpu" -> "for each GPU";
            default -> "";
        };
    }

    private static Column shown(boolean always, Column column) {
        return always ? column : column.onlyWide();
    }

    private static String guaranteed(Json tenant) {
        String gpus = tenant.at("guaranteed_gpus").text();
        return gpus.equals("0") || gpus.equals("0.0") ? "" : gpus;
    }

    private static Function<Json, String> used(String now, String most) {
        return tenant -> CellText.share(tenant.at(now), tenant.at(most));
    }
}
