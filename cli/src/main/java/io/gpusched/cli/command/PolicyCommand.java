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

/// Shows the policy in force, or puts another one in force.
final class PolicyCommand implements CliCommand {
    private static final String SET = "set";
    private static final Option<String> REASON =
            Option.text("--reason", "TEXT", "Why the policy is changed, for the record.");
    private static final Option<Boolean> DRY_RUN =
            Option.flag("--dry-run", "Check the name and print what would change.");

    @Override
    public Syntax syntax() {
        return Syntax.of("policy", "Show the policy in force, or set another one.")
                .with(REASON, DRY_RUN)
                .taking(
                        Operand.atMostOne(SET, "The word set, to change the policy."),
                        Operand.atMostOne("POLICY", "Name of the policy to set."))
                .examples(
                        "Examples:",
                        "  gpu-cli policy",
                        "  gpu-cli policy set fair --reason 'end of the quarter'",
                        "  gpu-cli policy set learned --dry-run");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String action = parsedArguments.operand(0);
        String policy = parsedArguments.operand(1);
        if (action.isEmpty()) {
            if (parsedArguments.has(REASON) || parsedArguments.has(DRY_RUN)) {
                throw new UsageError("missing set POLICY");
            }
            cliSession.printer().detail(cliSession.ask(ApiPath.to("policy")), layout());
            return 0;
        }
        if (!action.equals(SET)) {
            throw new UsageError("expected set, found '" + action + "'");
        }
        if (policy.isEmpty()) {
            throw new UsageError("missing POLICY");
        }
        return set(cliSession, parsedArguments, policy);
    }

    private static int set(CliSession cliSession, ParsedArguments parsedArguments, String policy) {
        Json body =
                new RequestBody(parsedArguments)
                        .put("policy", Json.of(policy))
                        .text("reason", REASON)
                        .json();
        boolean dryRun = parsedArguments.has(DRY_RUN);
        ApiPath path = ApiPath.to("policy").with("dry_run", dryRun ? "true" : "");
        Json answer = cliSession.rest().call("PUT", path, body, Map.of());
        cliSession.report(answer, policy, sentence(answer, policy, dryRun));
        return 0;
    }

    private static String sentence(Json answer, String policy, boolean dryRun) {
        if (!answer.at("changed").equals(Json.of(true))) {
            return policy + " is in force already";
        }
        return dryRun
                ? policy + " would replace " + answer.at("policy").text()
                : changed(answer, policy);
    }

    /// `fair is in force in place of priority; if it fails, priority replaces it`.
    static String changed(Json answer, String policy) {
        Json previous = answer.at("previous");
        Json fallback = answer.at("fallback");
        return policy
                + " is in force"
                + (previous.text().isEmpty() ? "" : " in place of " + previous.text())
                + (fallback.at("guarding").equals(Json.of(true))
                        ? "; if it fails, " + fallback.at("policy").text() + " replaces it"
                        : "");
    }

    private static TableLayout layout() {
        return new TableLayout(
                List.of("policy"),
                List.of(
                        Column.of("Policy", "policy"),
                        Column.of("Configured", "configured"),
                        Column.of("Since", answer -> CellText.time(answer.at("since"))),
                        Column.of(
                                "By",
                                answer ->
                                        answer.at("by").text()
                                                + (answer.at("by").equals(answer.at("cause"))
                                                        ? ""
                                                        : " (" + answer.at("cause").text() + ")")),
                        Column.of("Reason", "reason"),
                        Column.of("Previous", "previous"),
                        Column.of("Fallback", PolicyCommand::fallback),
                        Column.of("Promotion", PolicyCommand::promotion),
                        Column.of("Shadow", PolicyCommand::shadow)));
    }

    private static String fallback(Json answer) {
        Json fallback = answer.at("fallback");
        if (!fallback.at("guarding").equals(Json.of(true))) {
            return fallback.at("policy").text();
        }
        return "%s (the guard watches %s%s)"
                .formatted(
                        fallback.at("policy").text(),
                        answer.at("policy").text(),
                        fallback.at("compares").equals(Json.of(false))
                                ? ", but does not compare the two"
                                : "");
    }

    private static String promotion(Json answer) {
        Json promotion = answer.at("promotion");
        if (!promotion.at("enabled").equals(Json.of(true))) {
            return "only by command";
        }
        Json paused = promotion.at("paused_until");
        return "by rule, objective "
                + promotion.at("objective").text()
                + (paused.isNil() ? "" : "; paused until " + CellText.time(paused));
    }

    private static String shadow(Json answer) {
        Json shadow = answer.at("shadow");
        return shadow.at("policy").text().isEmpty()
                ? "none"
                : shadow.at("policy").text() + " (" + shadow.at("verdict").text() + ")";
    }
}
