package io.gpusched.lab.pools;

import io.gpusched.sim.replica.AnswerTimes;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ReplicaWorld;
import io.gpusched.sim.replica.RequestTraces;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.trace.CsvFile;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// One replica that answers a recorded hour, compared with expected times of first and last tokens.
public final class ReplicaTable {
    public static final String COLUMNS =
            "request,arrival_s,prompt,output,first_token_s,last_token_s";

    private static final double TOLERANCE = 1e-6;

    private record Expected(double first, double last) {}

    private final List<Expected> expected;
    private final AnswerTimes answers;

    private ReplicaTable(List<Expected> expected, AnswerTimes answers) {
        this.expected = expected;
        this.answers = answers;
    }

    /// Answers every second request of the trace, as many as are expected.
    public static ReplicaTable run(Path expectedFile, Path trace) {
        List<Expected> expected =
                CsvFile.rows(
                        expectedFile,
                        "expected answers of a replica",
                        List.of(COLUMNS.split(",", -1)),
                        row ->
                                new Expected(
                                        row.number("first_token_s"), row.number("last_token_s")));
        List<ServingRequest> requests =
                RequestTraces.every(RequestTraces.azure(trace), 2, expected.size());
        var world = new ReplicaWorld(IterationCost.LLAMA2_70B, requests);
        world.add(1, 0);
        world.runTo(Double.POSITIVE_INFINITY);
        return new ReplicaTable(expected, world.answers());
    }

    public int size() {
        return expected.size();
    }

    /// How many requests have both tokens within a microsecond of the expected times.
    public int equal() {
        int equal = 0;
        for (int i = 0; i < expected.size() && i < answers.requests().size(); i++) {
            boolean first = Math.abs(answers.first(i) - expected.get(i).first()) <= TOLERANCE;
            boolean last = Math.abs(answers.last(i) - expected.get(i).last()) <= TOLERANCE;
            equal += first && last ? 1 : 0;
        }
        return equal;
    }

    /// All answers, in the shape of the expected file.
    public String text() {
        var text = new StringBuilder(COLUMNS).append('\n');
        for (ServingRequest request : answers.requests()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%d,%.7f,%d,%d,%.6f,%.6f\n",
                            request.number(),
                            request.arrival(),
                            request.prompt(),
                            request.output(),
                            answers.first(request.number()),
                            answers.last(request.number())));
        }
        return text.toString();
    }
}
