package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Shows how the policy in the shadow compares with the one in force.
final class Shadow implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("shadow", "Compare the shadow policy with the one in force.")
                .examples("Examples:", "  gpu-cli shadow", "  gpu-cli shadow -o json");
    }

    @Override
    public int run(Session session, Typed typed) {
        Json answer = session.ask(Route.to("shadow"));
        Json seen = answer.at("seen");
        Json live = seen.at("live");
        Json shadow = seen.at("shadow");
        if (answer.at("enabled").equals(Json.of(false))) {
            session.printer().list(answer, List.of(), Compared.sheet());
            session.printer().remark("there is no shadow policy: " + answer.at("hint").text());
            return 0;
        }
        session.printer().list(answer, Compared.rows(live, shadow), Compared.sheet());
        if (!answer.at("stopped").isNil()) {
            session.printer().remark("it has stopped: " + answer.at("stopped").text());
        }
        if (!seen.isNil()) {
            session.printer()
                    .below(
                            answer.at("policy").text()
                                    + ", "
                                    + Cells.seconds(seen.at("behind_seconds"))
                                    + " behind: "
                                    + Compared.summary(seen.at("starts"), live, shadow));
        }
        return 0;
    }
}
