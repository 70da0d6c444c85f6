package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;

/// Shows jobs, newest first, one page at a time; with `--watch` again and again.
@Command(
        name = "list",
        aliases = {"ls", "squeue"},
        description = "List jobs, newest first.",
        footer = {
            "",
            "Examples:",
            "  gpu-cli list --state pending --watch",
            "  gpu-cli list --tenant team-a --limit 200 -o wide",
            "  gpu-cli list --state pending -o name | xargs gpu-cli cancel"
        })
public final class ListJobs implements Action {
    @Option(names = "--tenant", paramLabel = "ID", description = "Only jobs of this tenant.")
    @Nullable String tenant;

    @Option(
            names = {"-A", "--all-tenants"},
            description = "Jobs of all tenants, even if a tenant is set in the environment.")
    boolean allTenants;

    @Option(names = "--state", paramLabel = "STATE", description = "Only jobs in this state.")
    String state = "";

    @Option(names = "--limit", paramLabel = "N", description = "Jobs on a page.")
    @Nullable Long limit;

    @Option(names = "--offset", paramLabel = "N", description = "Jobs to skip.")
    @Nullable Long offset;

    @Option(
            names = {"-w", "--watch"},
            description = "Show the list again and again until interrupted.")
    boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Time between two pictures of --watch; 2 unless given.")
    Long interval = 2L;

    @Override
    public int run(Session session) {
        Sheet sheet = JobSheets.list();
        show(session, sheet);
        return watch
                ? Repeat.every(
                        Duration.ofSeconds(Math.clamp(interval, 1, 86_400)),
                        session,
                        () -> show(session, sheet))
                : 0;
    }

    private void show(Session session, Sheet sheet) {
        Json answer =
                session.ask(
                        Route.to("jobs")
                                .with("tenant_id", chosenTenant(session))
                                .with("state", state)
                                .with("limit", text(limit))
                                .with("offset", text(offset)));
        session.printer().list(answer, answer.at("jobs").items(), sheet);
        session.printer().below(total(answer));
    }

    private String chosenTenant(Session session) {
        if (allTenants) {
            return "";
        }
        return tenant == null ? session.tenancy().forLists() : tenant;
    }

    private String total(Json answer) {
        long shown = answer.at("jobs").items().size();
        long all = answer.at("total").number(shown);
        long skipped = offset == null ? 0 : offset;
        long next = skipped + shown;
        return next < all && shown > 0
                ? "Total: %d (this is %d to %d; more with --offset %d)"
                        .formatted(all, skipped + 1, next, next)
                : "Total: " + all;
    }

    private static String text(@Nullable Long number) {
        return number == null ? "" : number.toString();
    }
}
