package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;
import java.util.Map;

/// Changes what is said about a tenant and leaves the rest. A quota is taken away by naming it
/// under `--unlimited`; what may be preempted is said both ways.
final class UpdateTenant implements Action {
    private static final Option<String> NAME =
            Option.text("--name", "NAME", "New name; the id stays.");
    private static final Option<List<String>> UNLIMITED =
            Option.texts(
                    "--unlimited",
                    "QUOTA",
                    "Take a quota away: gpus, gpu-memory, cpus, memory or jobs.");
    private static final Option<Boolean> NO_PARENT =
            Option.flag("--no-parent", "It is part of no other tenant.");
    private static final Option<Boolean> NO_PREEMPTION =
            Option.flag("--no-preemption", "Its jobs may not be stopped for others.");
    private static final Option<Boolean> PREEMPTING =
            Option.flag("--preempting", "Its jobs may stop those of others.");
    private static final Map<String, String> QUOTAS =
            Map.of(
                    "gpus", "max_gpus",
                    "gpu-memory", "max_gpu_memory_mb",
                    "cpus", "max_cpu_cores",
                    "memory", "max_memory_mb",
                    "jobs", "max_concurrent_jobs");

    @Override
    public Syntax syntax() {
        return Syntax.of("update-tenant", "Change a tenant; what is not said stays.")
                .with(TenantWords.with(NAME, UNLIMITED, NO_PARENT, NO_PREEMPTION, PREEMPTING))
                .taking(Operand.one("TENANT", "Id of the tenant."))
                .examples(
                        "Examples:",
                        "  gpu-cli update-tenant team-a --max-gpus 32",
                        "  gpu-cli update-tenant team-a --unlimited jobs --allow-preemption");
    }

    @Override
    public int run(Session session, Typed typed) {
        String id = typed.operand(0);
        Json body = body(typed);
        if (body.fields().isEmpty()) {
            throw new Misuse("nothing to change; name at least one option");
        }
        Json answer = session.rest().call("PATCH", Route.to("tenants", id), body, Map.of());
        session.tell(answer, id, id + ": changed");
        session.warnings(answer);
        return 0;
    }

    private static Json body(Typed typed) {
        Body body =
                TenantWords.addTo(new Body(typed).text("name", NAME))
                        .said("parent_id", NO_PARENT, no -> Json.Nil.NIL)
                        .said("allow_preemption", NO_PREEMPTION, no -> Json.of(!no))
                        .flag("can_preempt_others", PREEMPTING);
        for (String quota : typed.of(UNLIMITED)) {
            String field = QUOTAS.get(quota);
            if (field == null) {
                throw new Misuse(
                        "option --unlimited: expected gpus, gpu-memory, cpus, memory or jobs,"
                                + " found '"
                                + quota
                                + "'");
            }
            body.put(field, Json.Nil.NIL);
        }
        return body.json();
    }
}
