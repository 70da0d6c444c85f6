package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;

/// Compares the shadow policy with the policy in force.
final class ShadowCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("shadow", "Compare the shadow policy with the policy in force.")
                .examples("Examples:", "  gpu-cli shadow", "  gpu-cli shadow -o json");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json answer = cliSession.ask(ApiPath.to("shadow"));
        Json seen = answer.at("seen");
        Json live = seen.at("live");
        Json shadow = seen.at("shadow");
        if (answer.at("enabled").equals(Json.of(false))) {
            cliSession.printer().list(answer, List.of(), ComparisonTable.tableLayout());
            cliSession.printer().remark("there is no shadow policy: " + answer.at("hint").text());
            return 0;
        }
        cliSession
                .printer()
                .list(answer, ComparisonTable.rows(live, shadow), ComparisonTable.tableLayout());
        if (!answer.at("stopped").isNil()) {
            cliSession
                    .printer()
                    .remark("the shadow policy has stopped: " + answer.at("stopped").text());
        }
        if (!seen.isNil()) {
            cliSession
                    .printer()
                    .below(
                            answer.at("policy").text()
                                    + ", "
                                    + CellText.seconds(seen.at("behind_seconds"))
                                    + " behind: "
                                    + ComparisonTable.summary(seen.at("starts"), live, shadow));
        }
        return 0;
    }
}
