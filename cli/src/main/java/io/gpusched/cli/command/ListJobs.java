package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.time.Duration;

/// Shows jobs, newest first, one page at a time; with `--watch` again and again.
final class ListJobs implements Action {
    private static final Option<String> TENANT =
            Option.text("--tenant", "ID", "Only jobs of this tenant.");
    private static final Option<Boolean> ALL =
            Option.flag("-a --all", "Finished jobs, too; --state shows them without it.");
    private static final Option<Boolean> ALL_TENANTS =
            Option.flag("-A --all-tenants", "Jobs of all tenants, whatever the environment says.");
    private static final Option<String> STATE =
            Option.text("--state", "STATE", "Only jobs in this state.");
    private static final Option<Long> LIMIT = Option.whole("--limit", "N", "Jobs on a page.");
    private static final Option<Long> OFFSET = Option.whole("--offset", "N", "Jobs to skip.");
    private static final Option<Boolean> WATCH =
            Option.flag("-w --watch", "Show the list again and again until interrupted.");
    private static final Option<Long> INTERVAL =
            Option.seconds("--interval", "TIME", "Time between two lists, in seconds (default 2).");

    @Override
    public Syntax syntax() {
        return Syntax.of("list", "List jobs that wait or run, newest first.")
                .alsoCalled("ls", "squeue")
                .with(TENANT, ALL_TENANTS, ALL, STATE, LIMIT, OFFSET, WATCH, INTERVAL)
                .examples(
                        "Examples:",
                        "  gpu-cli list --all",
                        "  gpu-cli list --state pending --watch",
                        "  gpu-cli list --tenant team-a --limit 200 -o wide",
                        "  gpu-cli list --state pending -o name | xargs gpu-cli cancel");
    }

    @Override
    public int run(Session session, Typed typed) {
        boolean active = !typed.of(ALL) && !typed.has(STATE);
        Route route =
                Route.to("jobs")
                        .with("tenant_id", tenant(session, typed))
                        .with("state", typed.of(STATE))
                        .with("active", active ? "true" : "")
                        .with("limit", number(typed, LIMIT))
                        .with("offset", number(typed, OFFSET));
        Runnable show = () -> show(session, route, active, typed.of(OFFSET));
        show.run();
        var interval = Duration.ofSeconds(Math.clamp(typed.or(INTERVAL, 2L), 1, 86_400));
        return typed.of(WATCH) ? Repeat.every(interval, session, show) : 0;
    }

    private static void show(Session session, Route route, boolean active, long skipped) {
        Json answer = session.ask(route);
        Sheet sheet = JobSheets.list(session.pace().now());
        session.printer().list(answer, answer.at("jobs").items(), sheet);
        session.printer().below(total(answer, active, skipped));
    }

    private static String tenant(Session session, Typed typed) {
        return typed.of(ALL_TENANTS) ? "" : typed.or(TENANT, session.tenancy().forLists());
    }

    private static String number(Typed typed, Option<Long> option) {
        return typed.has(option) ? typed.of(option).toString() : "";
    }

    private static String total(Json answer, boolean active, long skipped) {
        long shown = answer.at("jobs").items().size();
        long all = answer.at("total").number(shown);
        long next = skipped + shown;
        if (all == 0 && active) {
            return "Total: 0 (no job waits or runs; finished jobs: gpu-cli list --all)";
        }
        return next < all && shown > 0
                ? "Total: %d (this is %d to %d; more with --offset %d)"
                        .formatted(all, skipped + 1, next, next)
                : "Total: " + all;
    }
}
