package io.gpusched.sim.trace;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/// Reads Azure's LLM requests: `TIMESTAMP,ContextTokens,GeneratedTokens`, times read as UTC.
///
/// The trace does not say how long a request took, so this is worked out from its tokens: all of
/// the context at once, then one token after the other. Each request is a job that needs one GPU
/// for that time.
///
/// @param contextPerSecond tokens of context taken in per second
/// @param generatedPerSecond tokens generated per second
public record RequestReader(double contextPerSecond, double generatedPerSecond) {
    /// About what a model of 70 billion parameters does on a GPU of an eighth of a node.
    public static final RequestReader USUAL = new RequestReader(8000, 40);

    private static final long MOST_TOKENS = 1_000_000_000;

    private static final String EXPECTED = "TIMESTAMP,ContextTokens,GeneratedTokens";

    public Trace read(Path file) {
        try (TextLines textLines =
                TextLines.open(file, "LLM requests, a CSV file with " + EXPECTED)) {
            var columns = new Columns(textLines, List.of(EXPECTED.split(",", -1)));
            return new TraceJobs(textLines, EXPECTED)
                    .readAll(line -> request(line.split(",", -1), columns));
        }
    }

    private TraceJob request(String[] cells, Columns columns) {
        long context = TraceJobs.count(columns.cell(cells, "ContextTokens"), MOST_TOKENS);
        long generated = TraceJobs.count(columns.cell(cells, "GeneratedTokens"), MOST_TOKENS);
        double seconds = context / contextPerSecond + generated / generatedPerSecond;
        return new TraceJob(
                "request",
                "",
                LocalDateTime.parse(columns.cell(cells, "TIMESTAMP").replace(' ', 'T'))
                        .toInstant(ZoneOffset.UTC),
                Duration.ofMillis(Math.max(1, Math.round(seconds * 1000))),
                Duration.ZERO,
                TraceJob.Ask.ofGpus(1));
    }
}
