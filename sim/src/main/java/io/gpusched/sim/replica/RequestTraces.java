package io.gpusched.sim.replica;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.CsvFile;
import io.gpusched.sim.trace.TextLines;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads requests to language models, with their arrivals in seconds from the first one.
public final class RequestTraces {
    private static final List<String> AZURE =
            List.of("TIMESTAMP", "ContextTokens", "GeneratedTokens");
    private static final Pattern MOONCAKE =
            Pattern.compile(
                    "\\{\"timestamp\": *(\\d{1,12}), *\"input_length\": *(\\d{1,8}),"
                            + " *\"output_length\": *(\\d{1,8}),.*");
    private static final int MOST_TOKENS = 10_000_000;

    /// A row of a trace before its number is known.
    private record Row(long nanos, int prompt, int output) {}

    private RequestTraces() {}

    /// Azure's traces: `TIMESTAMP,ContextTokens,GeneratedTokens`.
    public static List<ServingRequest> azure(Path file) {
        var epoch = LocalDateTime.of(2023, 11, 16, 0, 0);
        return numbered(
                CsvFile.rows(
                        file,
                        "LLM requests",
                        AZURE,
                        row ->
                                new Row(
                                        Duration.between(
                                                        epoch,
                                                        LocalDateTime.parse(
                                                                row.text("TIMESTAMP")
                                                                        .replace(' ', 'T')))
                                                .toNanos(),
                                        row.whole("ContextTokens", 0, MOST_TOKENS),
                                        row.whole("GeneratedTokens", 0, MOST_TOKENS))));
    }

    /// Mooncake's traces: one JSON object a line with milliseconds and lengths.
    public static List<ServingRequest> mooncake(Path file) {
        var rows = new ArrayList<Row>();
        String form = "{\"timestamp\": …, \"input_length\": …, \"output_length\": …, …}";
        try (TextLines lines = TextLines.open(file, "LLM requests, lines of " + form)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                Matcher cells = MOONCAKE.matcher(line);
                if (!cells.matches()) {
                    throw lines.wrong(form, line);
                }
                rows.add(
                        new Row(
                                Long.parseLong(cells.group(1)) * 1_000_000,
                                Integer.parseInt(cells.group(2)),
                                Integer.parseInt(cells.group(3))));
            }
        }
        if (rows.isEmpty()) {
            throw new BadTrace("%s has no requests; expected lines of %s".formatted(file, form));
        }
        return numbered(rows);
    }

    private static List<ServingRequest> numbered(List<Row> rows) {
        var sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingLong(Row::nanos));
        var requests = new ArrayList<ServingRequest>();
        long first = sorted.getFirst().nanos();
        for (Row row : sorted) {
            requests.add(
                    new ServingRequest(
                            requests.size(),
                            (row.nanos() - first) / 1e9,
                            Math.max(1, row.prompt()),
                            Math.max(1, row.output())));
        }
        return requests;
    }

    /// Every request several times, each copy a little later than the one before.
    public static List<ServingRequest> copies(
            List<ServingRequest> requests, int copies, double apart) {
        var all = new ArrayList<ServingRequest>();
        for (ServingRequest request : requests) {
            for (int i = 0; i < copies; i++) {
                all.add(
                        new ServingRequest(
                                0,
                                request.arrival() + i * apart,
                                request.prompt(),
                                request.output()));
            }
        }
        return renumbered(all);
    }

    /// Every n-th request from the first one on, at most so many.
    public static List<ServingRequest> every(List<ServingRequest> requests, int n, int most) {
        var some = new ArrayList<ServingRequest>();
        for (int i = 0; i < requests.size() && some.size() < most; i += n) {
            some.add(requests.get(i));
        }
        return renumbered(some);
    }

    private static List<ServingRequest> renumbered(List<ServingRequest> requests) {
        var sorted = new ArrayList<>(requests);
        sorted.sort(Comparator.comparingDouble(ServingRequest::arrival));
        var numbered = new ArrayList<ServingRequest>();
        for (ServingRequest each : sorted) {
            numbered.add(
                    new ServingRequest(
                            numbered.size(), each.arrival(), each.prompt(), each.output()));
        }
        return numbered;
    }
}
