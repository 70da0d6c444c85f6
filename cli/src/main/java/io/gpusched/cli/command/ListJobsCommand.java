package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.time.Duration;
import java.util.List;

/// Lists jobs, newest first, one page at a time; with `--watch` repeatedly.
final class ListJobsCommand implements CliCommand {
    private static final Option<String> TENANT =
            Option.text("--tenant", "ID", "List only jobs of this tenant.");
    private static final Option<Boolean> ALL =
            Option.flag("-a --all", "List finished jobs too; not needed with --state.");
    private static final Option<Boolean> ALL_TENANTS =
            Option.flag(
                    "-A --all-tenants",
                    "List jobs of all tenants and ignore GPU_SCHEDULER_TENANT_ID.");
    private static final Option<List<String>> STATE =
            Option.texts(
                    "--state",
                    "STATE",
                    "List only jobs in this state, such as running; several: running,pending.");
    private static final Option<Long> LIMIT =
            Option.whole("--limit", "N", "Jobs on one page (default: 50, at most 1000).");
    private static final Option<Long> OFFSET =
            Option.whole("--offset", "N", "Number of jobs to skip (default: 0).");
    private static final Option<Boolean> WATCH =
            Option.flag("-w --watch", "Repeat the list when it changes, until interrupted.");
    private static final Option<Long> INTERVAL =
            Option.seconds(
                    "--interval",
                    "TIME",
                    "With --watch: shortest time between two lists: 5 (seconds) or 1m (default:"
                            + " 1).");

    @Override
    public Syntax syntax() {
        return Syntax.of("list", "List waiting and running jobs, newest first.")
                .alsoCalled("ls", "squeue")
                .with(TENANT, ALL_TENANTS, ALL, STATE, LIMIT, OFFSET, WATCH, INTERVAL)
                .examples(
                        "Examples:",
                        "  gpu-cli list --all",
                        "  gpu-cli list --state pending,running --watch",
                        "  gpu-cli list --tenant team-a --limit 200 -o wide",
                        "  gpu-cli list --state pending -o name | xargs -r gpu-cli cancel");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        boolean active = !parsedArguments.of(ALL) && !parsedArguments.has(STATE);
        ApiPath apiPath =
                ApiPath.to("jobs")
                        .with("tenant_id", tenant(cliSession, parsedArguments))
                        .with("state", String.join(",", parsedArguments.of(STATE)))
                        .with("active", active ? "true" : "")
                        .with("limit", number(parsedArguments, LIMIT))
                        .with("offset", number(parsedArguments, OFFSET));
        Runnable show = () -> show(cliSession, apiPath, active, parsedArguments.of(OFFSET));
        show.run();
        return parsedArguments.of(WATCH) ? watch(cliSession, parsedArguments, show) : 0;
    }

    private static int watch(
            CliSession cliSession, ParsedArguments parsedArguments, Runnable show) {
        ApiPath events = ApiPath.to("events").with("tenant", tenant(cliSession, parsedArguments));
        return WatchLoop.live(
                cliSession,
                events,
                interval(parsedArguments, 1),
                interval(parsedArguments, 2),
                show);
    }

    private static Duration interval(ParsedArguments parsedArguments, long usual) {
        return Duration.ofSeconds(Math.clamp(parsedArguments.or(INTERVAL, usual), 1, 86_400));
    }

    private static void show(CliSession cliSession, ApiPath apiPath, boolean active, long skipped) {
        Json answer = cliSession.ask(apiPath);
        TableLayout tableLayout = JobTables.list(cliSession.pollingClock().now());
        cliSession.printer().list(answer, answer.at("jobs").items(), tableLayout);
        cliSession.printer().below(total(answer, active, skipped));
    }

    private static String tenant(CliSession cliSession, ParsedArguments parsedArguments) {
        return parsedArguments.of(ALL_TENANTS)
                ? ""
                : parsedArguments.or(TENANT, cliSession.actingTenant().forLists());
    }

    private static String number(ParsedArguments parsedArguments, Option<Long> option) {
        return parsedArguments.has(option) ? parsedArguments.of(option).toString() : "";
    }

    private static String total(Json answer, boolean active, long skipped) {
        long shown = answer.at("jobs").items().size();
        long all = answer.at("total").number(shown);
        long next = skipped + shown;
        if (all == 0 && active) {
            return "Total: 0 (no waiting or running jobs; finished jobs: gpu-cli list --all)";
        }
        return next < all && shown > 0
                ? "Total: %d (shown: %d to %d; next page: --offset %d)"
                        .formatted(all, skipped + 1, next, next)
                : "Total: " + all;
    }
}
