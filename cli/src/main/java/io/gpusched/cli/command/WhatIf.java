package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Asks what another policy would have done with what was recorded, and waits for the answer.
final class WhatIf implements Action {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Option<String> POLICY =
            Option.text("--policy", "POLICY", "Decide by this policy.");
    private static final Option<String> PLACEMENT =
            Option.text("--placement --placer", "PLACEMENT", "Choose places in this way.");
    private static final Option<String> SINCE =
            Option.text(
                    "--since",
                    "TIME|BATCH",
                    "From here on; alone: check that it comes out the same.");
    private static final Option<Boolean> NO_WAIT =
            Option.flag("--no-wait", "Only say where the answer will be.");
    private static final Option<Boolean> CANCEL =
            Option.flag("--cancel", "Stop answering ID, or forget its answer.");

    @Override
    public Syntax syntax() {
        return Syntax.of("what-if", "Say what another policy would have done with the past.")
                .with(POLICY, PLACEMENT, SINCE, NO_WAIT, CANCEL)
                .taking(Operand.atMostOne("ID", "Of a question asked before; lists all if none."))
                .examples(
                        "Examples:",
                        "  gpu-cli what-if --policy fair --since 2025-01-01T00:00:00Z",
                        "  gpu-cli what-if --since 2025-01-01",
                        "  gpu-cli what-if --policy sjf --no-wait",
                        "  gpu-cli what-if whatif-1 -o json",
                        "  gpu-cli what-if whatif-1 --cancel");
    }

    @Override
    public int run(Session session, Typed typed) {
        String id = typed.operand(0);
        if (typed.has(POLICY) || typed.has(PLACEMENT) || typed.has(SINCE)) {
            return ask(session, typed);
        }
        if (id.isEmpty()) {
            Json all = session.ask(Route.to("what-if"));
            session.printer().list(all, all.at("what_ifs").items(), list());
            return 0;
        }
        if (typed.has(CANCEL)) {
            Json answer = session.rest().call("DELETE", Route.to("what-if", id));
            session.tell(answer, id, answer.at("message").text());
            return 0;
        }
        return show(session, session.ask(Route.to("what-if", id)));
    }

    private static int ask(Session session, Typed typed) {
        Json body =
                new Body(typed)
                        .text("policy", POLICY)
                        .text("placement", PLACEMENT)
                        .text("since", SINCE)
                        .json();
        Json asked = session.rest().call("POST", Route.to("what-if"), body, Map.of());
        String id = asked.at("id").text();
        if (typed.has(NO_WAIT)) {
            session.tell(asked, id, "the answer will be shown by gpu-cli what-if " + id);
            return 0;
        }
        Json answer = asked;
        while (answer.at("state").text().equals("running") && session.pace().pause(PAUSE)) {
            answer = session.ask(Route.to("what-if", id));
        }
        return show(session, answer);
    }

    private static int show(Session session, Json answer) {
        Json result = answer.at("result");
        if (result.isNil()) {
            session.printer().detail(answer, list());
            return answer.at("state").text().equals("failed") ? 1 : 0;
        }
        Json was = result.at("recorded");
        Json would = result.at("what_if");
        session.printer().list(answer, Compared.rows(was, would), Compared.sheet());
        session.printer().below(Compared.summary(result.at("starts"), was, would));
        session.printer()
                .below(
                        result.at("first_difference").isNil()
                                ? "every decision is the one that was recorded"
                                : "the first other decision is in batch "
                                        + result.at("first_difference").at("batch").text());
        return 0;
    }

    private static Sheet list() {
        return new Sheet(
                List.of("id"),
                List.of(
                        Column.of("ID", "id"),
                        Column.of("STATE", "state"),
                        Column.of("PROGRESS", WhatIf::percent),
                        Column.of("POLICY", "policy"),
                        Column.of("PLACEMENT", "placement"),
                        Column.of("ASKED", "asked_at"),
                        Column.of("ERROR", "error")));
    }

    private static String percent(Json one) {
        Json part = one.at("progress");
        return part instanceof Json.Num(var literal)
                ? Math.round(100 * Double.parseDouble(literal)) + "%"
                : "";
    }
}
