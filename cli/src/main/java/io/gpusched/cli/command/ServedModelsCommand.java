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
import java.util.stream.Collectors;

/// Lists and changes the models that pools serve. `gpu-cli model` is about learned run times.
final class ServedModelsCommand implements CliCommand {
    private static final Option<String> FILE =
            Option.text("-f --file", "FILE", "With put: a JSON document; - reads standard input.");

    private static final Option<Boolean> FORCE =
            Option.flag("--force", "With delete: delete it although pools serve it.");

    @Override
    public Syntax syntax() {
        return Syntax.of("models", "List or change the models that pools serve.")
                .with(FILE, FORCE)
                .taking(
                        Operand.atMostOne(
                                "MODEL-ACTION",
                                "One of list, show, put and delete (default list)."),
                        Operand.atMostOne("MODEL", "Name of the model."))
                .examples(
                        "Examples:",
                        "  gpu-cli models",
                        "  gpu-cli models show llama-8b",
                        "  gpu-cli models put llama-8b -f llama.json",
                        "  gpu-cli models delete llama-8b");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments arguments) {
        String action = arguments.operand(0);
        if (arguments.has(FILE) && !action.equals("put")) {
            throw new UsageError("--file belongs to put");
        }
        if (arguments.has(FORCE) && !action.equals("delete")) {
            throw new UsageError("--force belongs to delete");
        }
        switch (action) {
            case "", "list" -> {
                Json answer = cliSession.ask(ApiPath.to("models"));
                cliSession.printer().list(answer, answer.at("models").items(), layout());
            }
            case "show" -> {
                Json answer = cliSession.ask(ApiPath.to("models", model(arguments)));
                cliSession.printer().detail(answer, layout());
                List<Json> nodes = answer.at("status").at("nodes").items();
                cliSession.printer().also("Nodes", nodes, nodeLayout());
            }
            case "put" -> put(cliSession, arguments);
            case "delete" -> {
                String name = model(arguments);
                Json answer =
                        cliSession
                                .rest()
                                .call(
                                        "DELETE",
                                        ApiPath.to("models", name)
                                                .with("force", arguments.has(FORCE) ? "true" : ""));
                cliSession.report(answer, name, "Model " + name + ": removed");
            }
            default ->
                    throw new UsageError(
                            "expected one of list, show, put, delete, found '" + action + "'");
        }
        return 0;
    }

    private static String model(ParsedArguments arguments) {
        String name = arguments.operand(1);
        if (name.isEmpty()) {
            throw new UsageError("missing MODEL");
        }
        return name;
    }

    private static void put(CliSession cliSession, ParsedArguments arguments) {
        String name = model(arguments);
        if (!arguments.has(FILE)) {
            throw new UsageError("missing --file FILE");
        }
        Json document = JsonFiles.read("--file", arguments.of(FILE), cliSession.in());
        Json answer = cliSession.rest().call("PUT", ApiPath.to("models", name), document, Map.of());
        cliSession.warnings(answer);
        cliSession.report(answer, name, "Model " + name + ": " + answer.at("action").text());
    }

    private static TableLayout layout() {
        return new TableLayout(
                List.of("name"),
                List.of(
                        Column.of("MODEL", "name"),
                        Column.of("SIZE", model -> size(model.at("size_bytes"))),
                        Column.of("LOADS IN", model -> CellText.seconds(model.at("load_seconds"))),
                        Column.of("PRIORITY", "cache_priority"),
                        Column.of("EVICTION", "eviction"),
                        Column.of("CACHED ON", ServedModelsCommand::cached),
                        Column.of("URI", "uri").onlyWide()));
    }

    private static TableLayout nodeLayout() {
        return new TableLayout(
                List.of("node_id"),
                List.of(
                        Column.of("NODE", "node_id"),
                        Column.of("STATE", "state"),
                        Column.of("SIZE", one -> size(one.at("bytes"))),
                        Column.of("LAST USED", one -> CellText.time(one.at("last_used"))),
                        Column.of("WANTED", "wanted"),
                        Column.of("WHY", "why"),
                        Column.of("PROBLEM", "problem")));
    }

    private static String size(Json bytes) {
        return bytes.number(0) == 0 ? "" : CellText.mebibytes(Json.of(bytes.number(0) >> 20));
    }

    private static String cached(Json model) {
        return model.at("status").at("nodes").items().stream()
                .map(
                        one ->
                                one.at("node_id").text()
                                        + (one.at("state").text().equals("cached")
                                                ? ""
                                                : " (" + one.at("state").text() + ")"))
                .collect(Collectors.joining(", "));
    }
}
