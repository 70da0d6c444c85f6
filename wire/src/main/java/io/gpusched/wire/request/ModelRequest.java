package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RunTimes;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Reads what was exported of a model. Figures that follow from others are ignored.
public final class ModelRequest {
    private static final int MOST = 100_000;
    private static final double MOST_SECONDS = 366.0 * 24 * 3600;
    private static final long MOST_RUNS = 1L << 50;
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    /// What was read, or what is wrong with it.
    public sealed interface Result {
        record Valid(List<LearnedRuntime> pairs, List<LearnedSlowdown> slowdowns)
                implements Result {}

        record Invalid(List<Problem> problems) implements Result {}
    }

    private ModelRequest() {}

    public static Result read(Tree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var fields = new Fields(body, problems);
        var pairs = new ArrayList<LearnedRuntime>();
        for (Fields each : fields.objects("pairs", MOST)) {
            pairs.add(
                    new LearnedRuntime(
                            name(each, "job_type"),
                            name(each, "gpu_type"),
                            times(each, "alone"),
                            times(each, "together"),
                            at(each)));
        }
        var slowdowns = new ArrayList<LearnedSlowdown>();
        for (Fields each : fields.objects("slowdowns", MOST)) {
            slowdowns.add(
                    new LearnedSlowdown(
                            name(each, "job_type"),
                            name(each, "neighbour"),
                            each.number("slowdown", 0, 0, 1e6),
                            each.whole("samples", 0, 0, MOST_RUNS),
                            at(each)));
        }
        return problems.isEmpty()
                ? new Result.Valid(pairs, slowdowns)
                : new Result.Invalid(List.copyOf(problems));
    }

    private static String name(Fields fields, String key) {
        String name = fields.text(key, "", Bounds.NAME);
        if (name.isBlank()) {
            fields.problem(key, "expected a name for " + key + ", found none", "add it");
        }
        return name;
    }

    private static RunTimes times(Fields fields, String key) {
        Fields inner = fields.object(key);
        if (inner == null) {
            return RunTimes.NONE;
        }
        long count = inner.whole("samples", 0, 0, MOST_RUNS);
        return count == 0
                ? RunTimes.NONE
                : new RunTimes(
                        inner.number("mean", 0, 0, MOST_SECONDS),
                        inner.number("variance", 0, 0, MOST_SECONDS * MOST_SECONDS),
                        count);
    }

    private static Instant at(Fields fields) {
        String text = fields.text("last_change", "1970-01-01T00:00:00Z", Bounds.NAME);
        try {
            Instant at = Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
            if (at.isBefore(Instant.EPOCH) || at.isAfter(LATEST)) {
                throw new DateTimeException("no run was seen then");
            }
            return at;
        } catch (DateTimeException e) {
            fields.problem(
                    "last_change",
                    "expected a time since 1970 such as 2026-01-31T12:00:00Z, found \""
                            + text
                            + '"',
                    "leave it out, or write it so");
            return Instant.EPOCH;
        }
    }
}
