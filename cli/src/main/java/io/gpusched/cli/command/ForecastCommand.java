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

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Lists and changes the forecasts of the carbon intensity of power.
final class ForecastCommand implements CliCommand {
    private static final Option<String> FILE =
            Option.text(
                    "-f --file",
                    "FILE",
                    "With put: lines of time,grams, or a JSON document; - reads standard input.");

    private static final Option<String> START =
            Option.text(
                    "--start",
                    "TIME",
                    "With put: move the curve to begin at this time, or now (default: as in the"
                            + " file).");

    @Override
    public Syntax syntax() {
        return Syntax.of("carbon", "List or change forecasts of the carbon intensity of power.")
                .with(FILE, START)
                .taking(
                        Operand.atMostOne(
                                "CARBON-ACTION",
                                "One of list, show, put and delete (default list)."),
                        Operand.atMostOne("REGION", "Value of the node label region, or default."))
                .examples(
                        "Examples:",
                        "  gpu-cli carbon",
                        "  gpu-cli carbon put default -f forecast.csv",
                        "  gpu-cli carbon put eu-north -f samples/carbon/intensity.csv --start now",
                        "  gpu-cli carbon show default",
                        "  gpu-cli carbon delete default");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments arguments) {
        String action = arguments.operand(0);
        if ((arguments.has(FILE) || arguments.has(START)) && !action.equals("put")) {
            throw new UsageError("--file and --start belong to put");
        }
        switch (action) {
            case "", "list" -> {
                Json answer = cliSession.ask(ApiPath.to("carbon"));
                cliSession.printer().list(answer, answer.at("forecasts").items(), layout());
            }
            case "show" -> show(cliSession, region(arguments));
            case "put" -> put(cliSession, arguments);
            case "delete" -> {
                String region = region(arguments);
                Json answer = cliSession.rest().call("DELETE", ApiPath.to("carbon", region));
                cliSession.report(answer, region, "Forecast of " + region + ": removed");
            }
            default ->
                    throw new UsageError(
                            "expected one of list, show, put, delete, found '" + action + "'");
        }
        return 0;
    }

    private static String region(ParsedArguments arguments) {
        String region = arguments.operand(1);
        if (region.isEmpty()) {
            throw new UsageError("missing REGION");
        }
        return region;
    }

    private static void put(CliSession cliSession, ParsedArguments arguments) {
        String region = region(arguments);
        if (!arguments.has(FILE)) {
            throw new UsageError("missing --file FILE");
        }
        byte[] bytes = TextFiles.read("--file", arguments.of(FILE), cliSession.in());
        Json document = document(cliSession, arguments, bytes);
        Json answer =
                cliSession.rest().call("PUT", ApiPath.to("carbon", region), document, Map.of());
        cliSession.warnings(answer);
        cliSession.report(
                answer,
                region,
                "Forecast of %s: %d slots of %d minutes until %s"
                        .formatted(
                                region,
                                answer.at("grams").items().size(),
                                answer.at("slot_minutes").number(0),
                                answer.at("until").text()));
    }

    private static Json document(CliSession cliSession, ParsedArguments arguments, byte[] bytes) {
        String file = arguments.of(FILE);
        if (new String(bytes, StandardCharsets.UTF_8).stripLeading().startsWith("{")) {
            if (arguments.has(START)) {
                throw new UsageError("--start is for lines of time,grams, found a JSON document");
            }
            return JsonFiles.read(
                    "--file", file.equals("-") ? "-" : file, new ByteArrayInputStream(bytes));
        }
        Instant now = cliSession.pollingClock().now();
        IntensityFile curve = IntensityFile.read(file, bytes);
        return arguments.has(START)
                ? curve.startingAt(start(arguments.of(START), now)).request(now)
                : curve.request(now);
    }

    private static Instant start(String text, Instant now) {
        try {
            return text.equals("now") ? now.truncatedTo(ChronoUnit.MINUTES) : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageError(
                    "option --start: expected now or a time such as 2026-01-05T00:00:00Z, found '"
                            + text
                            + "'");
        }
    }

    private static TableLayout layout() {
        return new TableLayout(
                List.of("region"),
                List.of(
                        Column.of("REGION", "region"),
                        Column.of("G/KWH NOW", "now"),
                        Column.of("LEAST", forecast -> extreme(forecast, false)),
                        Column.of("MOST", forecast -> extreme(forecast, true)),
                        Column.of("SLOT", ForecastCommand::slot),
                        Column.of("FROM", forecast -> CellText.time(forecast.at("from"))),
                        Column.of("UNTIL", forecast -> CellText.time(forecast.at("until")))));
    }

    private static String slot(Json forecast) {
        return forecast.at("slot_minutes").text() + "m";
    }

    private static String extreme(Json forecast, boolean most) {
        var grams = forecast.at("grams").items().stream().mapToLong(each -> each.number(0));
        return Long.toString((most ? grams.max() : grams.min()).orElse(0));
    }

    /// One line for every slot.
    private static void show(CliSession cliSession, String region) {
        Json answer = cliSession.ask(ApiPath.to("carbon", region));
        var slots = new ArrayList<Json>();
        Instant start = Instant.parse(answer.at("from").text());
        for (Json grams : answer.at("grams").items()) {
            slots.add(Json.of(Map.of("from", start.toString(), "grams", grams.text())));
            start = start.plus(Duration.ofMinutes(answer.at("slot_minutes").number(0)));
        }
        cliSession
                .printer()
                .list(
                        answer,
                        slots,
                        new TableLayout(
                                List.of("from"),
                                List.of(
                                        Column.of("FROM", slot -> CellText.time(slot.at("from"))),
                                        Column.of("G/KWH", "grams"))));
    }
}
