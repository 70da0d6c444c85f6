package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.Map;

/// Changes the given settings of a tenant and keeps the others. `--unlimited` removes a quota.
final class UpdateTenantCommand implements CliCommand {
    private static final Option<String> NAME =
            Option.text("--name", "NAME", "New name; the id does not change.");
    private static final Option<List<String>> UNLIMITED =
            Option.texts(
                    "--unlimited",
                    "QUOTA",
                    "Remove a quota: gpus, gpu-memory, cpus, memory or jobs; may be repeated.");
    private static final Option<Boolean> NO_PARENT =
            Option.flag("--no-parent", "Make it a tenant without a parent.");
    private static final Option<Boolean> NO_PREEMPTION =
            Option.flag("--no-preemption", "The tenant's jobs may not be preempted.");
    private static final Option<Boolean> PREEMPTING =
            Option.flag("--preempting", "The tenant's jobs may preempt jobs of other tenants.");
    private static final Map<String, String> QUOTAS =
            Map.of(
                    "gpus", "max_gpus",
                    "gpu-memory", "max_gpu_memory_mb",
                    "cpus", "max_cpu_cores",
                    "memory", "max_memory_mb",
                    "jobs", "max_concurrent_jobs");

    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "update-tenant",
                        "Change a tenant; settings that are not given stay as they are.")
                .with(TenantOptions.with(NAME, UNLIMITED, NO_PARENT, NO_PREEMPTION, PREEMPTING))
                .taking(Operand.one("TENANT", "Id of the tenant."))
                .examples(
                        "Examples:",
                        "  gpu-cli update-tenant team-a --max-gpus 32",
                        "  gpu-cli update-tenant team-a --unlimited jobs --allow-preemption");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        Json body = body(parsedArguments);
        if (body.fields().isEmpty()) {
            throw new UsageError("nothing to change; give at least one option");
        }
        Json answer = cliSession.rest().call("PATCH", ApiPath.to("tenants", id), body, Map.of());
        cliSession.report(answer, id, id + ": changed");
        cliSession.warnings(answer);
        return 0;
    }

    private static Json body(ParsedArguments parsedArguments) {
        RequestBody requestBody =
                TenantOptions.addTo(new RequestBody(parsedArguments).text("name", NAME))
                        .value("parent_id", NO_PARENT, no -> Json.Nil.NIL)
                        .value("allow_preemption", NO_PREEMPTION, no -> Json.of(!no))
                        .flag("can_preempt_others", PREEMPTING);
        for (String quota : parsedArguments.of(UNLIMITED)) {
            String field = QUOTAS.get(quota);
            if (field == null) {
                throw new UsageError(
                        "option --unlimited: expected gpus, gpu-memory, cpus, memory or jobs,"
                                + " found '"
                                + quota
                                + "'");
            }
            requestBody.put(field, Json.Nil.NIL);
        }
        return requestBody.json();
    }
}
