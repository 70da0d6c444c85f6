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

/// `lab evaluate`: measures the return of baseline schedulers in the
/// reinforcement-learning environment.
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Evaluates baseline schedulers in the reinforcement-learning environment.",
            "A player sees the waiting jobs, starts one job or none, and gets a reward. The",
            "production scheduler carries out every start.",
            "",
            "Prints the mean return of each player, the lowest and the highest mean of a block of",
            "episodes, and the share of actions that were invalid or no-ops.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab evaluate                                     the published table",
            "  lab evaluate --seed-offset 10000000              on the seeds kept for reports",
            "  lab evaluate --player SJF --player INDEX --out episodes.csv",
            "",
            "docs/experiments/evaluate.md describes observations, actions and rewards."
        })
final class EvaluateCommand implements Callable<Integer> {
    private static final double MOST_SEED = 0xffffffffL;
    private static final int MANY = 1_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--player",
            paramLabel = "NAME",
            description =
                    "Player: FIFO, SJF, RAND_FEAS_NO0, PRIORITY, NARROWEST, LEAST_WORK or INDEX;"
                            + " may be repeated (default: the first three).")
    private List<String> players = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the experiment (default 1).")
    private long seed = 1;

    @Option(
            names = "--seed-offset",
            paramLabel = "N",
            description =
                    "Number to add to every seed (default 0); 10000000 gives the seeds that are"
                            + " kept for reports.")
    private long seedOffset;

    @Option(names = "--num-gpus", paramLabel = "N", description = "Number of GPUs (default 8).")
    private int gpus = 8;

    @Option(
            names = "--max-queue-size",
            paramLabel = "N",
            description = "Number of waiting jobs that a player sees (default 50).")
    private int window = 50;

    @Option(
            names = "--max-episode-steps",
            paramLabel = "N",
            description = "Largest number of steps of an episode (default 2000).")
    private int maxSteps = 2000;

    @Option(
            names = "--max-duration",
            paramLabel = "SECONDS",
            description = "Longest run time of a job, in seconds (default 10000).")
    private double maxDuration = 10_000;

    @Option(
            names = "--jobs-per-episode",
            paramLabel = "N",
            description = "Number of jobs in an episode (default 400).")
    private int jobs = 400;

    @Option(
            names = "--arrival-mode",
            paramLabel = "MODE",
            description = "Arrivals of jobs: bursty or all_at_zero (default bursty).")
    private String arrivalMode = "bursty";

    @Option(
            names = "--arrival-span",
            paramLabel = "SECONDS",
            description = "Time over which jobs arrive, in seconds (default: --max-duration).")
    private @Nullable Double arrivalSpan;

    @Option(
            names = "--horizon-factor",
            paramLabel = "X",
            description =
                    "An episode ends at the last arrival plus X times the shortest time that the"
                            + " work could take (default 1.3).")
    private double horizonFactor = 1.3;

    @Option(
            names = "--eval-episodes",
            paramLabel = "N",
            description = "Number of episodes in a block (default 20).")
    private int episodes = 20;

    @Option(
            names = "--eval-num-blocks",
            paramLabel = "N",
            description = "Number of blocks (default 3).")
    private int blocks = 3;

    @Option(
            names = "--lookahead-mode",
            paramLabel = "MODE",
            description =
                    "How an observation shows when GPUs become free: off, per_gpu, sorted or cdf"
                            + " (default per_gpu). The baseline players do not use it.")
    private String lookahead = "per_gpu";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write every episode to this file, as CSV.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write a page of results to this file, as Markdown, and evaluate.svg beside"
                            + " it.")
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
                    case "bursty" -> BenchmarkWorkload.Spacing.BURSTY;
                    case "all_at_zero" -> BenchmarkWorkload.Spacing.ALL_AT_ZERO;
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
            throw new UserError(
                    "%s: expected %s to %s, found %s"
                            .formatted(what, plain(least), plain(most), plain(found)));
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static UserError unknown(String option, String found, List<String> known) {
        return new UserError(
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
