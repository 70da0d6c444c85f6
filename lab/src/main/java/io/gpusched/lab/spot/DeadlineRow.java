package io.gpusched.lab.spot;

import io.gpusched.core.spot.DeadlineRule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// All figures of one run: every published policy, the optimum, and the rule of the scheduler.
///
/// @param given which run
/// @param runs results by the name of the policy, ours last
/// @param optimum cost in dollars with perfect knowledge
public record DeadlineRow(DeadlineCase given, Map<String, DeadlineRun> runs, double optimum) {
    /// The columns that are compared with expected ones.
    public static final List<String> COLUMNS =
            List.of(
                    "greedy",
                    "up",
                    "up_no_cond2",
                    "evolved",
                    "optimum",
                    "up_spot_ticks",
                    "up_od_ticks",
                    "up_starts");

    public static final String OURS = "ours";
    static final List<String> KEYS =
            List.of("region", "trace", "task_h", "deadline_h", "overhead_h");

    static DeadlineRow of(DeadlineCase given, DeadlineTraces.Trace trace, DeadlineRule rule) {
        var policies = new LinkedHashMap<String, DeadlinePolicy>();
        policies.put("greedy", DeadlinePolicy::greedy);
        policies.put("up", DeadlinePolicy::uniformProgress);
        policies.put("up_no_cond2", DeadlinePolicy::uniformProgressWithoutHysteresis);
        policies.put("evolved", DeadlinePolicy::evolved);
        policies.put(OURS, new RulePolicy(rule));
        var runs = new LinkedHashMap<String, DeadlineRun>();
        policies.forEach((name, policy) -> runs.put(name, DeadlineRun.of(given, trace, policy)));
        return new DeadlineRow(given, runs, DeadlineOptimum.cost(given, trace));
    }

    DeadlineRun run(String policy) {
        DeadlineRun run = runs.get(policy);
        if (run == null) {
            throw new IllegalArgumentException("there is no policy " + policy);
        }
        return run;
    }

    /// In dollars, also for `optimum`.
    public double cost(String policy) {
        return policy.equals("optimum") ? optimum : run(policy).cost();
    }

    /// A cell as the file of expected results writes it.
    public String cell(String column) {
        return switch (column) {
            case "up_spot_ticks" -> String.valueOf(run("up").spotTicks());
            case "up_od_ticks" -> String.valueOf(run("up").onDemandTicks());
            case "up_starts" -> String.valueOf(run("up").starts());
            default -> String.format(Locale.ROOT, "%.6f", cost(column));
        };
    }

    /// A row in the form of the expected results.
    public String text() {
        return given.key() + "," + String.join(",", COLUMNS.stream().map(this::cell).toList());
    }

    /// The first line of a file of such rows.
    public static String header() {
        return String.join(",", KEYS) + "," + String.join(",", COLUMNS);
    }

    /// A row about the rule of the scheduler alone.
    public String ours() {
        DeadlineRun run = run(OURS);
        return "%s,%s,%d,%d,%d,%b"
                .formatted(
                        given.key(),
                        cell(OURS),
                        run.spotTicks(),
                        run.onDemandTicks(),
                        run.starts(),
                        run.missed());
    }

    public static String oursHeader() {
        return String.join(",", KEYS) + ",ours,spot_ticks,od_ticks,starts,missed";
    }
}
