package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// A request to import an exported runtime model. Fields that can be computed from others are
/// ignored.
public record ModelRequest(
        List<LearnedRuntime> pairs,
        List<LearnedSlowdown> slowdowns,
        List<LearnedRuns> runs,
        List<LearnedInterference> interference) {
    private static final int MOST = 100_000;
    private static final List<String> NAMES =
            List.of("pairs", "slowdowns", "run_times", "interference");
    private static final double MOST_SECONDS = 366.0 * 24 * 3600;
    private static final long MOST_RUNS = 1L << 50;

    /// The scheduler keeps at most this many runs of a kind on a GPU model.
    private static final int MOST_RUNS_EACH = 256;

    public static Parsed<ModelRequest, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var requestFields = new RequestFields(body, problems);
        var pairs = new ArrayList<LearnedRuntime>();
        for (RequestFields each : requestFields.objects("pairs", MOST)) {
            pairs.add(
                    new LearnedRuntime(
                            name(each, "job_type"),
                            name(each, "gpu_type"),
                            times(each, "alone"),
                            times(each, "together"),
                            at(each)));
        }
        var slowdowns = new ArrayList<LearnedSlowdown>();
        for (RequestFields each : requestFields.objects("slowdowns", MOST)) {
            slowdowns.add(
                    new LearnedSlowdown(
                            name(each, "job_type"),
                            name(each, "neighbour"),
                            each.number("slowdown", 0, 0, 1e6),
                            each.whole("samples", 0, 0, MOST_RUNS),
                            at(each)));
        }
        if (NAMES.stream().noneMatch(body.entries()::containsKey)) {
            problems.add(
                    new Problem(
                            Problem.Code.INVALID,
                            "",
                            "expected one of " + String.join(", ", NAMES) + ", found none",
                            "import the output of gpu-cli model -o json or GET"
                                    + " /api/v1/model?runs=64"));
        }
        var warnings = new ArrayList<String>();
        List<LearnedRuns> runs = runs(requestFields, warnings);
        List<LearnedInterference> interference = interference(requestFields);
        return Parsed.of(
                new ModelRequest(pairs, slowdowns, runs, interference), warnings, problems);
    }

    /// Reads run times. An entry without runs, as the API shows it by default, cannot be learned
    /// from.
    private static List<LearnedRuns> runs(RequestFields requestFields, List<String> warnings) {
        var all = new ArrayList<LearnedRuns>();
        int without = 0;
        for (RequestFields each : requestFields.objects("run_times", MOST)) {
            var runs = new ArrayList<LearnedRuns.One>();
            for (RequestFields run : each.objects("runs", MOST_RUNS_EACH)) {
                runs.add(run(run));
            }
            String kind = name(each, "job_type");
            String gpu = each.text("gpu_type", "", RequestBounds.NAME);
            Instant at = at(each, "last_change");
            var drift =
                    new LearnedRuns.Drift(
                            each.whole("drifts", 0, 0, MOST_RUNS),
                            at(each, "last_drift"),
                            at(each, "drifted_since"));
            if (!runs.isEmpty()) {
                long count = each.whole("samples", runs.size(), 0, MOST_RUNS);
                all.add(new LearnedRuns(kind, gpu, count, at, drift, runs));
            } else {
                without++;
            }
        }
        if (without > 0) {
            warnings.add(
                    without
                            + " of run_times have no runs and were left out; export them with"
                            + " GET /api/v1/model?runs=64");
        }
        return all;
    }

    private static LearnedRuns.One run(RequestFields run) {
        double seconds = run.number("seconds", 0, 0, MOST_SECONDS);
        if (seconds <= 0) {
            run.problem(
                    "seconds",
                    "expected the seconds that the run took, found " + seconds,
                    "leave the run out, or add its run time");
        }
        return new LearnedRuns.One(
                Math.max(seconds, 1e-6),
                at(run, "started"),
                new Features(
                        (int) run.whole("gpu_count", 0, 0, 1_000_000),
                        run.number("gpu_mem_gb", 0, 0, 1e9),
                        run.number("model_params_m", 0, 0, 1e12),
                        run.number("batch_size", 0, 0, 1e12)));
    }

    private static List<LearnedInterference> interference(RequestFields requestFields) {
        var all = new ArrayList<LearnedInterference>();
        for (RequestFields each : requestFields.objects("interference", MOST)) {
            all.add(
                    new LearnedInterference(
                            name(each, "job_type"),
                            name(each, "neighbour"),
                            each.text("gpu_type", "", RequestBounds.NAME),
                            each.number("log_factor", 0, -10, 10),
                            Math.max(1e-9, each.number("log_variance", 0.25, 0, 100)),
                            each.whole("samples", 0, 0, MOST_RUNS)));
        }
        return all;
    }

    private static String name(RequestFields requestFields, String key) {
        String name = requestFields.text(key, "", RequestBounds.NAME);
        if (name.isBlank()) {
            requestFields.problem(key, "expected a name for " + key + ", found none", "add it");
        }
        return name;
    }

    private static RuntimeAverages times(RequestFields requestFields, String key) {
        RequestFields inner = requestFields.object(key);
        if (inner == null) {
            return RuntimeAverages.NONE;
        }
        long count = inner.whole("samples", 0, 0, MOST_RUNS);
        return count == 0
                ? RuntimeAverages.NONE
                : new RuntimeAverages(
                        inner.number("mean", 0, 0, MOST_SECONDS),
                        inner.number("variance", 0, 0, MOST_SECONDS * MOST_SECONDS),
                        count);
    }

    private static Instant at(RequestFields requestFields) {
        return at(requestFields, "last_change");
    }

    private static Instant at(RequestFields requestFields, String key) {
        String text = requestFields.text(key, "1970-01-01T00:00:00Z", RequestBounds.NAME);
        try {
            Instant at = Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
            if (at.isBefore(Instant.EPOCH) || at.isAfter(RequestBounds.LATEST)) {
                throw new DateTimeException("out of range");
            }
            return at;
        } catch (DateTimeException e) {
            requestFields.problem(
                    key,
                    "expected a time since 1970 such as 2026-01-31T12:00:00Z, found \""
                            + text
                            + '"',
                    "leave it out, or write it in this form");
            return Instant.EPOCH;
        }
    }
}
