package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.stream.Collectors;

/// Lists and deletes agent classes. `gpu-cli apply` creates and changes them.
final class ClassesCommand implements CliCommand {
    private static final Option<Boolean> FORCE =
            Option.flag(
                    "--force",
                    "With delete: delete it although pools use it; they keep its settings.");

    @Override
    public Syntax syntax() {
        return Syntax.of("classes", "List or delete the agent classes of pools.")
                .with(FORCE)
                .taking(
                        Operand.atMostOne(
                                "CLASS-ACTION", "One of list, show and delete (default list)."),
                        Operand.atMostOne("CLASS", "Name of the agent class."))
                .examples(
                        "Examples:",
                        "  gpu-cli classes",
                        "  gpu-cli classes show assistant",
                        "  gpu-cli classes delete assistant");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments arguments) {
        String action = arguments.operand(0);
        if (arguments.has(FORCE) && !action.equals("delete")) {
            throw new UsageError("--force belongs to delete");
        }
        switch (action) {
            case "", "list" -> {
                Json answer = cliSession.ask(ApiPath.to("classes"));
                cliSession.printer().list(answer, answer.at("classes").items(), layout());
            }
            case "show" ->
                    cliSession
                            .printer()
                            .detail(
                                    cliSession.ask(ApiPath.to("classes", name(arguments))),
                                    layout());
            case "delete" -> {
                String name = name(arguments);
                ApiPath path =
                        ApiPath.to("classes", name)
                                .with("force", arguments.has(FORCE) ? "true" : "");
                Json answer = cliSession.rest().call("DELETE", path);
                cliSession.report(answer, name, "Class " + name + ": removed");
            }
            default ->
                    throw new UsageError(
                            "expected one of list, show, delete, found '" + action + "'");
        }
        return 0;
    }

    private static String name(ParsedArguments arguments) {
        String name = arguments.operand(1);
        if (name.isEmpty()) {
            throw new UsageError("missing CLASS");
        }
        return name;
    }

    private static TableLayout layout() {
        return new TableLayout(
                List.of("name"),
                List.of(
                        Column.of("CLASS", "name"),
                        Column.of("MODEL", "model"),
                        Column.of("TTFT", one -> objective(one, "ttft_ms", " ms")),
                        Column.of("TOKENS/S", one -> objective(one, "tokens_per_second", "")),
                        Column.of("POOLS", ClassesCommand::pools),
                        Column.of("TENANT", "tenant_id").onlyWide()));
    }

    private static String objective(Json one, String field, String unit) {
        Json value = one.at("slo").at(field);
        return value.isNil() ? "" : value.text() + unit;
    }

    private static String pools(Json one) {
        return one.at("pools").items().stream().map(Json::text).collect(Collectors.joining(", "));
    }
}
