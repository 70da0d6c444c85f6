package io.gpusched.lab;

import io.gpusched.core.model.Gpu;
import io.gpusched.lab.evaluate.ScoreLines;
import io.gpusched.lab.evaluate.ScorePlot;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.Lookahead;
import io.gpusched.sim.generate.BenchmarkWorkload;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Lets simple players play the scheduling game.
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets simple players play the scheduling game.",
            "They see who waits, start one job or none, and get a reward. Every start is made by",
            "the production core.",
            "",
            "Prints the mean return of each player, the least and the best mean of a block of",
            "episodes, and which part of the actions were invalid and no-ops.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab evaluate                                     the published table",
            "  lab evaluate --seed-offset 10000000              on the seeds kept for reports",
            "  lab evaluate --player SJF --player INDEX --out episodes.csv",
            "",
            "docs/guide/evaluate.md says what is seen, done and rewarded."
        })
final class Evaluate implements Callable<Integer> {
    private static final double MOST_SEED = 0xffffffffL;
    private static final int MANY = 1_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--player",
            paramLabel = "NAME",
            description =
                    "FIFO, SJF, RAND_FEAS_NO0, PRIORITY, NARROWEST, LEAST_WORK or INDEX; may be"
                            + " repeated (default the first three).")
    private List<String> players = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "The experiment (default 1).")
    private long seed = 1;

    @Option(
            names = "--seed-offset",
            paramLabel = "N",
            description = "Added to every seed; 10000000 for the seeds kept for reports.")
    private long seedOffset;

    @Option(names = "--num-gpus", paramLabel = "N", description = "GPUs (default 8).")
    private int gpus = 8;

    @Option(
            names = "--max-queue-size",
            paramLabel = "N",
            description = "Waiting jobs that are seen (default 50).")
    private int window = 50;

    @Option(
            names = "--max-episode-steps",
            paramLabel = "N",
            description = "Steps until an episode is cut off (default 2000).")
    private int maxSteps = 2000;

    @Option(
            names = "--max-duration",
            paramLabel = "SECONDS",
            description = "The longest a job can run (default 10000).")
    private double maxDuration = 10_000;

    @Option(
            names = "--jobs-per-episode",
            paramLabel = "N",
            description = "Jobs in an episode (default 400).")
    private int jobs = 400;

    @Option(
            names = "--arrival-mode",
            paramLabel = "MODE",
            description = "bursty or all_at_zero (default bursty).")
    private String arrivalMode = "bursty";

    @Option(
            names = "--arrival-span",
            paramLabel = "SECONDS",
            description = "The time over which jobs come (default that of --max-duration).")
    private @Nullable Double arrivalSpan;

    @Option(
            names = "--horizon-factor",
            paramLabel = "X",
            description =
                    "An episode is cut off X times the least time the work could take after the"
                            + " last arrival (default 1.3).")
    private double horizonFactor = 1.3;

    @Option(
            names = "--eval-episodes",
            paramLabel = "N",
            description = "Episodes in a block (default 20).")
    private int episodes = 20;

    @Option(names = "--eval-num-blocks", paramLabel = "N", description = "Blocks (default 3).")
    private int blocks = 3;

    @Option(
            names = "--lookahead-mode",
            paramLabel = "MODE",
            description =
                    "How it is seen when GPUs become free: off, per_gpu, sorted or cdf (default"
                            + " per_gpu). The simple players do not look at it.")
    private String lookahead = "per_gpu";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write every episode there, as CSV.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results there, as Markdown, and evaluate.svg beside it.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        var environment = new Environment(settings());
        var evaluation = new Evaluation(firstSeed(), blocks, episodes);
        List<Baseline> chosen = chosen();
        PrintWriter lines = spec.commandLine().getOut();
        lines.println("Evaluating baseline schedulers...");
        lines.println();
        var outcomes = new ArrayList<Evaluation.Outcome>();
        var rows = new StringBuilder(ScoreLines.COLUMNS).append('\n');
        long all = (long) chosen.size() * blocks * episodes;
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("episodes", all, err)) {
            for (Baseline player : chosen) {
                progress.begin(player.name());
                Evaluation.Outcome outcome =
                        evaluation.of(player, environment, episode -> progress.step());
                outcomes.add(outcome);
                progress.clear();
                lines.println(ScoreLines.line(outcome));
                lines.flush();
                rows.append(ScoreLines.rows(outcome, episodes));
                if (out != null) {
                    Output.write(out, rows.toString());
                }
            }
        }
        if (report != null) {
            Output.write(report, ScoreLines.page(typed(), outcomes));
            Output.write(report.resolveSibling("evaluate.svg"), ScorePlot.svg(outcomes));
        }
        return 0;
    }

    private EnvironmentSettings settings() {
        between("--num-gpus", gpus, 1, Gpu.MOST_PER_NODE);
        between("--max-queue-size", window, 1, MANY);
        between("--max-episode-steps", maxSteps, 1, Integer.MAX_VALUE);
        between("--jobs-per-episode", jobs, 1, MANY);
        between("--max-duration", maxDuration, 1e-3, 1e9);
        between("--horizon-factor", horizonFactor, 1e-6, 1e6);
        double span = arrivalSpan == null ? maxDuration : arrivalSpan;
        between("--arrival-span", span, 0, 1e9);
        Lookahead mode = Lookahead.named(lookahead);
        if (mode == null) {
            throw unknown("--lookahead-mode", lookahead, Lookahead.NAMES);
        }
        var coming =
                switch (arrivalMode) {
                    case "bursty" -> BenchmarkWorkload.Coming.BURSTY;
                    case "all_at_zero" -> BenchmarkWorkload.Coming.ALL_AT_ZERO;
                    default ->
                            throw unknown(
                                    "--arrival-mode",
                                    arrivalMode,
                                    List.of("bursty", "all_at_zero"));
                };
        var workload = new BenchmarkWorkload(jobs, gpus, maxDuration, coming, span);
        return new EnvironmentSettings(workload, window, maxSteps, horizonFactor, mode);
    }

    private long firstSeed() {
        between("--eval-episodes", episodes, 1, MANY);
        between("--eval-num-blocks", blocks, 1, MANY);
        long first = Evaluation.SEEDS + seed + seedOffset;
        between("the first seed, 2000000 + --seed + --seed-offset,", (double) first, 0, MOST_SEED);
        double last = (double) first + (double) blocks * episodes - 1;
        between("the last seed", last, 0, MOST_SEED);
        return first;
    }

    private List<Baseline> chosen() {
        var chosen = new ArrayList<Baseline>();
        for (String name : players) {
            Baseline player = Baseline.named(name);
            if (player == null) {
                throw unknown("--player", name, Baseline.NAMES);
            }
            chosen.add(player);
        }
        return chosen.isEmpty() ? Baseline.PUBLISHED : chosen;
    }

    private static void between(String what, double found, double least, double most) {
        if (!(found >= least && found <= most)) {
            throw new Hopeless(
                    "%s: expected %s to %s, found %s"
                            .formatted(what, plain(least), plain(most), plain(found)));
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static Hopeless unknown(String option, String found, List<String> known) {
        return new Hopeless(
                "%s: expected one of %s, found %s"
                        .formatted(option, String.join(", ", known), found));
    }

    /// What was typed, without the names of files.
    private String typed() {
        var words = new ArrayList<String>(List.of("bin/lab", "evaluate"));
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i).equals("--out") || given.get(i).equals("--report")) {
                i++;
            } else if (!given.get(i).equals("evaluate")) {
                words.add(given.get(i));
            }
        }
        return String.join(" ", words) + " --report FILE";
    }
}
