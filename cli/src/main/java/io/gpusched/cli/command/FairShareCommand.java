package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.Function;

/// Shows each tenant's share of the cluster, and how it is computed.
final class FairShareCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "fairshare",
                        "Show each tenant's share of the cluster and how it is computed.")
                .alsoCalled("sshare")
                .examples("Examples:", "  gpu-cli fairshare", "  gpu-cli fairshare -o wide");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json answer = cliSession.ask(ApiPath.to("fairshare"));
        cliSession.printer().list(answer, answer.at("tenants").items(), tableLayout());
        if (answer.at("by_tenant").equals(Json.of(false))) {
            cliSession
                    .printer()
                    .remark(
                            "note: under policy "
                                    + answer.at("policy").text()
                                    + " the scheduler ignores these shares; it uses them under"
                                    + " policy fair");
        }
        return 0;
    }

    private static TableLayout tableLayout() {
        return new TableLayout(
                List.of("tenant_id"),
                List.of(
                        Column.of("TENANT", FairShareCommand::indented),
                        Column.of("PARENT", "parent_id").onlyWide(),
                        Column.of("WEIGHT", figure("adjusted_weight")),
                        Column.of("GIVEN", figure("weight")).onlyWide(),
                        Column.of("DUE", percent("effective_share")),
                        Column.of("NOW", percent("current_share")),
                        Column.of("LATELY", percent("recent_share")),
                        Column.of("GPUs", figure("current_gpus")),
                        Column.of("GUARANTEED", figure("guaranteed_gpus")),
                        Column.of("BORROWED", figure("borrowed_gpus")),
                        Column.of("MAX", figure("max_gpus")).onlyWide(),
                        Column.of("STATUS", "status"),
                        Column.of("TURN", "turn"),
                        Column.of("WHY", "why")));
    }

    /// The tenant's id, indented by two blanks for each level of the hierarchy.
    private static String indented(Json tenant) {
        int depth = Math.clamp(tenant.at("depth").number(0), 0, 20);
        return "  ".repeat(depth) + tenant.at("tenant_id").text();
    }

    private static Function<Json, String> percent(String field) {
        return tenant -> {
            Json part = tenant.at(field);
            return part.isNil() ? "" : rounded(part, 100, 1) + "%";
        };
    }

    private static Function<Json, String> figure(String field) {
        return tenant -> tenant.at(field).isNil() ? "" : rounded(tenant.at(field), 1, 3);
    }

    private static String rounded(Json number, int times, int digits) {
        if (!(number instanceof Json.Num(var literal))) {
            return number.text();
        }
        double value = Double.parseDouble(literal) * times;
        if (Math.abs(value) > 1e12) {
            return literal;
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
        return rounded.stripTrailingZeros().toPlainString();
    }
}
