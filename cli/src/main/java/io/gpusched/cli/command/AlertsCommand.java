package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.Map;

/// Lists alerts, silences one, or sends a test message to all webhooks.
final class AlertsCommand implements CliCommand {
    private static final Option<Boolean> FIRING =
            Option.flag("--firing", "List only alerts that fire now.");
    private static final Option<Long> MINUTES =
            Option.count("--minutes", "N", "With silence: for how many minutes (default 60).");
    private static final Option<String> REASON =
            Option.text("--reason", "TEXT", "With silence: why, for others.");

    @Override
    public Syntax syntax() {
        return Syntax.of("alerts", "List alerts, silence one, or test the webhooks.")
                .with(FIRING, MINUTES, REASON)
                .taking(
                        Operand.atMostOne("ACTION", "One of silence, unsilence and test."),
                        Operand.atMostOne("ALERT", "Id of the alert to silence."))
                .examples(
                        "Examples:",
                        "  gpu-cli alerts --firing",
                        "  gpu-cli alerts silence alert-12 --minutes 240 --reason 'fans ordered'",
                        "  gpu-cli alerts unsilence alert-12",
                        "  gpu-cli alerts test");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String action = parsedArguments.operand(0);
        if (!action.equals("silence")
                && (parsedArguments.has(MINUTES) || parsedArguments.has(REASON))) {
            throw new UsageError("--minutes and --reason belong to silence ALERT");
        }
        return switch (action) {
            case "" -> list(cliSession, parsedArguments);
            case "test" -> test(cliSession);
            case "silence" -> silence(cliSession, parsedArguments, alert(parsedArguments));
            case "unsilence" -> unsilence(cliSession, alert(parsedArguments));
            default ->
                    throw new UsageError(
                            "expected silence, unsilence or test, found '" + action + "'");
        };
    }

    private static String alert(ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(1);
        if (id.isEmpty()) {
            throw new UsageError("missing ALERT");
        }
        return id;
    }

    private static int list(CliSession cliSession, ParsedArguments parsedArguments) {
        ApiPath path =
                ApiPath.to("alerts").with("state", parsedArguments.of(FIRING) ? "firing" : "");
        Json answer = cliSession.ask(path);
        List<Json> alerts = answer.at("alerts").items();
        cliSession.printer().list(answer, alerts, layout());
        long firing =
                alerts.stream().filter(one -> one.at("state").text().equals("firing")).count();
        cliSession
                .printer()
                .below(
                        firing == 0
                                ? "no alert fires"
                                : firing == 1 ? "1 alert fires" : firing + " alerts fire");
        return 0;
    }

    private static TableLayout layout() {
        return new TableLayout(
                List.of("id"),
                List.of(
                        Column.of("ALERT", "id"),
                        Column.of("NAME", "name"),
                        Column.of("SEVERITY", "severity"),
                        Column.of("STATE", AlertsCommand::state),
                        Column.of("SINCE", alert -> CellText.time(alert.at("since"))),
                        Column.of("MESSAGE", "message"),
                        Column.of("TENANT", "tenant_id").onlyWide(),
                        Column.of("JOB", "job_id").onlyWide(),
                        Column.of("NODE", "node_id").onlyWide(),
                        Column.of("REMEDY", "remedy").onlyWide()));
    }

    private static String state(Json alert) {
        return alert.at("state").text() + (alert.at("silenced_until").isNil() ? "" : ", silenced");
    }

    private static int silence(CliSession cliSession, ParsedArguments parsedArguments, String id) {
        Json body =
                new RequestBody(parsedArguments)
                        .number("minutes", MINUTES)
                        .text("reason", REASON)
                        .json();
        Json answer =
                cliSession.rest().call("POST", ApiPath.to("alerts", id, "silence"), body, Map.of());
        cliSession.report(
                answer,
                id,
                "%s: silenced until %s".formatted(id, CellText.time(answer.at("silenced_until"))));
        return 0;
    }

    private static int unsilence(CliSession cliSession, String id) {
        Json answer = cliSession.rest().call("DELETE", ApiPath.to("alerts", id, "silence"));
        cliSession.report(answer, id, id + ": no longer silenced");
        return 0;
    }

    /// Sends a test message; fails if a webhook did not get it.
    private static int test(CliSession cliSession) {
        Json answer = cliSession.rest().call("POST", ApiPath.to("alerts", "test"));
        List<Json> webhooks = answer.at("webhooks").items();
        cliSession
                .printer()
                .list(
                        answer,
                        webhooks,
                        new TableLayout(
                                List.of("name"),
                                List.of(
                                        Column.of("WEBHOOK", "name"),
                                        Column.of("DELIVERED", "delivered"),
                                        Column.of("STATUS", "status"),
                                        Column.of("ERROR", "error"))));
        if (webhooks.isEmpty()) {
            cliSession.printer().below("no webhook is configured; see alerts.webhooks");
        }
        return webhooks.stream().allMatch(one -> one.at("delivered").equals(Json.of(true))) ? 0 : 1;
    }
}
