package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Lists, shows, changes and explains pools of replicas.
final class PoolCommand implements CliCommand {
    private static final List<String> ACTIONS =
            List.of(
                    "list", "show", "put", "scale", "explain", "load", "delete", "history",
                    "shadow");

    private static final Option<String> FILE =
            Option.text(
                    "-f --file",
                    "FILE",
                    "With put and load: a JSON document; - reads standard input.");
    private static final Option<Long> REPLICAS =
            Option.count("--replicas", "N", "With scale: hold the pool at N replicas.");
    private static final Option<Boolean> AUTO =
            Option.flag("--auto", "With scale: let the pool's rules decide again.");
    private static final Option<String> REASON =
            Option.text("--reason", "TEXT", "With scale: why, for the record.");
    private static final Option<Duration> SINCE =
            Option.span("--since", "TIME", "With history: how far back (default 1h).");
    private static final Option<Long> POINTS =
            Option.count("--points", "N", "With history: at most N rows (default 20).");

    private static final Option<String> LAW =
            Option.text(
                    "--law",
                    "LAWS",
                    "With shadow: scaling laws to try, separated by commas: slo, targets, tokens,"
                            + " queue, static, hpa-N, static-N, keda, wva, dynamo.");
    private static final Option<Long> HOURS =
            Option.count("--hours", "N", "With shadow: how many hours back (default 1, most 24).");

    @Override
    public Syntax syntax() {
        return Syntax.of("pool", "List, show, scale and explain pools of replicas.")
                .alsoCalled("pools")
                .with(FILE, REPLICAS, AUTO, REASON, SINCE, POINTS, LAW, HOURS)
                .taking(
                        Operand.atMostOne(
                                "POOL-ACTION",
                                "One of list, show, put, scale, explain, load, delete, history"
                                        + " and shadow (default list)."),
                        Operand.atMostOne("POOL", "Name of the pool."))
                .examples(
                        "Examples:",
                        "  gpu-cli pool list",
                        "  gpu-cli pool show chat",
                        "  gpu-cli pool put chat -f chat.json",
                        "  gpu-cli pool scale chat --replicas 6 --reason 'launch day'",
                        "  gpu-cli pool scale chat --auto",
                        "  gpu-cli pool explain chat",
                        "  gpu-cli pool history chat --since 6h",
                        "  gpu-cli pool shadow chat --law hpa-20,static-4 --hours 6");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments arguments) {
        String action = arguments.operand(0);
        refuseMisplaced(action, arguments);
        return switch (action) {
            case "", "list" -> list(cliSession, arguments);
            case "show" -> show(cliSession, pool(arguments));
            case "put" -> put(cliSession, arguments);
            case "scale" -> scale(cliSession, arguments);
            case "explain" -> explain(cliSession, pool(arguments));
            case "load" -> load(cliSession, arguments);
            case "delete" -> delete(cliSession, pool(arguments));
            case "history" -> history(cliSession, arguments);
            case "shadow" -> shadow(cliSession, arguments);
            default ->
                    throw new UsageError(
                            "expected one of %s, found '%s'"
                                    .formatted(String.join(", ", ACTIONS), action));
        };
    }

    private static void refuseMisplaced(String action, ParsedArguments arguments) {
        refuse(arguments, FILE, action, "put", "load");
        refuse(arguments, REPLICAS, action, "scale");
        refuse(arguments, AUTO, action, "scale");
        refuse(arguments, REASON, action, "scale");
        refuse(arguments, SINCE, action, "history");
        refuse(arguments, POINTS, action, "history");
        refuse(arguments, LAW, action, "shadow");
        refuse(arguments, HOURS, action, "shadow");
    }

    private static void refuse(
            ParsedArguments arguments, Option<?> option, String action, String... belongs) {
        if (arguments.has(option) && !List.of(belongs).contains(action)) {
            throw new UsageError(
                    option.longName() + " belongs to " + String.join(" and ", belongs));
        }
    }

    private static String pool(ParsedArguments arguments) {
        String name = arguments.operand(1);
        if (name.isEmpty()) {
            throw new UsageError("missing POOL");
        }
        return name;
    }

    private static int list(CliSession cliSession, ParsedArguments arguments) {
        String name = arguments.operand(1);
        if (!name.isEmpty()) {
            throw new UsageError("list takes no POOL; for one pool: gpu-cli pool show " + name);
        }
        Json answer = cliSession.ask(ApiPath.to("pools"));
        cliSession.printer().list(answer, answer.at("pools").items(), PoolTables.list());
        return 0;
    }

    private static int show(CliSession cliSession, String name) {
        Json answer = cliSession.ask(ApiPath.to("pools", name));
        cliSession.printer().detail(answer, PoolTables.detail());
        cliSession
                .printer()
                .also(
                        "Replicas",
                        answer.at("status").at("replicas").items(),
                        PoolTables.replicas());
        return 0;
    }

    private static int put(CliSession cliSession, ParsedArguments arguments) {
        Json document = file(cliSession, arguments);
        String name =
                arguments.operand(1).isEmpty() ? document.at("name").text() : arguments.operand(1);
        if (name.isEmpty()) {
            throw new UsageError("missing POOL, or \"name\" in the document");
        }
        Json answer = cliSession.rest().call("PUT", ApiPath.to("pools", name), document, Map.of());
        cliSession.warnings(answer);
        cliSession.report(answer, name, "Pool " + name + ": " + answer.at("action").text());
        return 0;
    }

    private static Json file(CliSession cliSession, ParsedArguments arguments) {
        if (!arguments.has(FILE)) {
            throw new UsageError("missing --file FILE");
        }
        return JsonFiles.read("--file", arguments.of(FILE), cliSession.in());
    }

    private static int scale(CliSession cliSession, ParsedArguments arguments) {
        String name = pool(arguments);
        if (arguments.has(REPLICAS) == arguments.has(AUTO)) {
            throw new UsageError("expected one of --replicas N and --auto");
        }
        var body = new LinkedHashMap<String, Json>();
        body.put("replicas", arguments.has(AUTO) ? Json.Nil.NIL : Json.of(arguments.of(REPLICAS)));
        if (arguments.has(REASON)) {
            body.put("reason", Json.of(arguments.of(REASON)));
        }
        Json answer =
                cliSession
                        .rest()
                        .call(
                                "POST",
                                ApiPath.to("pools", name, "scale"),
                                new Json.Fields(body),
                                Map.of());
        cliSession.report(
                answer,
                name,
                arguments.has(AUTO)
                        ? "Pool " + name + ": its rules decide its size again"
                        : "Pool %s: held at %d replicas; end it with gpu-cli pool scale %s --auto"
                                .formatted(name, arguments.of(REPLICAS), name));
        return 0;
    }

    private static int explain(CliSession cliSession, String name) {
        Json answer = cliSession.ask(ApiPath.to("pools", name, "explain"));
        cliSession.printer().detail(answer, PoolTables.explanation());
        cliSession.printer().also("Steps", PoolTables.steps(answer), PoolTables.stepLayout());
        cliSession.printer().also("Locality", PoolTables.locality(answer), PoolTables.factLayout());
        cliSession
                .printer()
                .also("Waiting replicas", answer.at("waiting").items(), PoolTables.waiting());
        cliSession
                .printer()
                .also("Recent changes", answer.at("recent").items(), PoolTables.changes());
        return 0;
    }

    private static int load(CliSession cliSession, ParsedArguments arguments) {
        String name = pool(arguments);
        Json answer =
                cliSession
                        .rest()
                        .call(
                                "POST",
                                ApiPath.to("pools", name, "load"),
                                file(cliSession, arguments),
                                Map.of());
        cliSession.warnings(answer);
        cliSession.report(answer, name, "Pool " + name + ": load reported");
        return 0;
    }

    private static int delete(CliSession cliSession, String name) {
        Json answer = cliSession.rest().call("DELETE", ApiPath.to("pools", name));
        cliSession.report(
                answer, name, "Pool " + name + ": its replicas are stopped, then it is removed");
        return 0;
    }

    /// What other laws would have done with the pool's recent load.
    private static int shadow(CliSession cliSession, ParsedArguments arguments) {
        String name = pool(arguments);
        if (!arguments.has(LAW)) {
            throw new UsageError("missing --law LAWS");
        }
        ApiPath path =
                ApiPath.to("pools", name, "shadow")
                        .with("law", arguments.of(LAW))
                        .with("hours", Long.toString(arguments.or(HOURS, 1L)));
        Json answer = cliSession.ask(path);
        cliSession.printer().list(answer, ShadowTable.rows(answer), ShadowTable.layout());
        ShadowTable.remarks(answer).forEach(cliSession.printer()::below);
        return 0;
    }

    private static int history(CliSession cliSession, ParsedArguments arguments) {
        String name = pool(arguments);
        Duration since = arguments.or(SINCE, Duration.ofHours(1));
        long points = arguments.or(POINTS, 20L);
        ApiPath path =
                ApiPath.to("pools", name, "history")
                        .with("from", cliSession.pollingClock().now().minus(since).toString())
                        .with("points", Long.toString(points));
        Json answer = cliSession.ask(path);
        cliSession.printer().list(answer, PoolTables.rows(answer), PoolTables.history());
        return 0;
    }
}
