package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Replays the server's journal with another policy, and waits for the result.
final class WhatIfCommand implements CliCommand {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Option<String> POLICY =
            Option.text(
                    "--policy", "POLICY", "Policy to replay with (default: the policy in force).");
    private static final Option<String> PLACEMENT =
            Option.text(
                    "--placement --placer",
                    "PLACEMENT",
                    "Placement strategy to replay with (default: the strategy in force).");
    private static final Option<String> SINCE =
            Option.text(
                    "--since",
                    "TIME|BATCH",
                    "Start of the replay (default: the beginning); alone, checks that the replay is"
                            + " exact.");
    private static final Option<Boolean> NO_WAIT =
            Option.flag("--no-wait", "Print the id of the what-if and do not wait for its result.");
    private static final Option<Boolean> CANCEL =
            Option.flag("--cancel", "Cancel the what-if ID, or delete its result.");

    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "what-if",
                        "Replay the journal with another policy and compare the results.")
                .with(POLICY, PLACEMENT, SINCE, NO_WAIT, CANCEL)
                .taking(Operand.atMostOne("ID", "Id of an earlier what-if (default: list all)."))
                .examples(
                        "Examples:",
                        "  gpu-cli what-if --policy fair --since 2025-01-01T00:00:00Z",
                        "  gpu-cli what-if --since 2025-01-01",
                        "  gpu-cli what-if --policy sjf --no-wait",
                        "  gpu-cli what-if whatif-1 -o json",
                        "  gpu-cli what-if whatif-1 --cancel");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        if (parsedArguments.has(POLICY)
                || parsedArguments.has(PLACEMENT)
                || parsedArguments.has(SINCE)) {
            return ask(cliSession, parsedArguments);
        }
        if (id.isEmpty()) {
            Json all = cliSession.ask(ApiPath.to("what-if"));
            cliSession.printer().list(all, all.at("what_ifs").items(), list());
            return 0;
        }
        if (parsedArguments.has(CANCEL)) {
            Json answer = cliSession.rest().call("DELETE", ApiPath.to("what-if", id));
            cliSession.report(answer, id, answer.at("message").text());
            return 0;
        }
        return show(cliSession, cliSession.ask(ApiPath.to("what-if", id)));
    }

    private static int ask(CliSession cliSession, ParsedArguments parsedArguments) {
        Json body =
                new RequestBody(parsedArguments)
                        .text("policy", POLICY)
                        .text("placement", PLACEMENT)
                        .text("since", SINCE)
                        .json();
        Json started = cliSession.rest().call("POST", ApiPath.to("what-if"), body, Map.of());
        String id = started.at("id").text();
        if (parsedArguments.has(NO_WAIT)) {
            cliSession.report(started, id, "started; show the result with gpu-cli what-if " + id);
            return 0;
        }
        Json answer = started;
        while (answer.at("state").text().equals("running")
                && cliSession.pollingClock().pause(PAUSE)) {
            answer = cliSession.ask(ApiPath.to("what-if", id));
        }
        return show(cliSession, answer);
    }

    private static int show(CliSession cliSession, Json answer) {
        Json result = answer.at("result");
        if (result.isNil()) {
            cliSession.printer().detail(answer, list());
            return answer.at("state").text().equals("failed") ? 1 : 0;
        }
        Json was = result.at("recorded");
        Json would = result.at("what_if");
        cliSession
                .printer()
                .list(answer, ComparisonTable.rows(was, would), ComparisonTable.tableLayout());
        cliSession.printer().below(ComparisonTable.summary(result.at("starts"), was, would));
        cliSession
                .printer()
                .below(
                        result.at("first_difference").isNil()
                                ? "every decision is equal to the recorded one"
                                : "the first different decision is in batch "
                                        + result.at("first_difference").at("batch").text());
        return 0;
    }

    private static TableLayout list() {
        return new TableLayout(
                List.of("id"),
                List.of(
                        Column.of("ID", "id"),
                        Column.of("STATE", "state"),
                        Column.of("PROGRESS", WhatIfCommand::percent),
                        Column.of("POLICY", "policy"),
                        Column.of("PLACEMENT", "placement"),
                        Column.of("ASKED", one -> CellText.time(one.at("asked_at"))),
                        Column.of("ERROR", "error")));
    }

    private static String percent(Json one) {
        Json part = one.at("progress");
        return part instanceof Json.Num(var literal)
                ? Math.round(100 * Double.parseDouble(literal)) + "%"
                : "";
    }
}
