package io.gpusched.lab;

import io.gpusched.lab.evaluate.LearnedPlayer;
import io.gpusched.lab.evaluate.ParallelEvaluation;
import io.gpusched.lab.evaluate.ScoreLines;
import io.gpusched.lab.evaluate.ScorePlot;
import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.RolloutSearch;
import io.gpusched.rl.ppo.WorkerThreads;
import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// `lab evaluate`: measures the return of baseline schedulers in the
/// reinforcement-learning environment.
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Evaluates baseline schedulers, and on request a trained policy, in the",
            "reinforcement-learning environment.",
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
            "  lab evaluate --checkpoint shipped --seed-offset 30000000",
            "  lab evaluate --checkpoint runs/checkpoints/NAME_best.checkpoint",
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

    @Option(
            names = "--checkpoint",
            paramLabel = "FILE",
            description =
                    "Also evaluate this checkpoint, as the player LEARNED; \"shipped\" is the one"
                            + " that comes with the program. Adds the player INDEX if no --player"
                            + " is given, and to each row the standard error over episodes and the"
                            + " mean of each block.")
    private @Nullable String checkpoint;

    @Option(
            names = "--search",
            paramLabel = "N",
            description =
                    "Also search the first N episodes with perfect information and print the mean"
                            + " of the best returns found, beside those of the players (default 0;"
                            + " about half a minute of processor time for each).")
    private int searched;

    @Mixin private EnvironmentOptions environment = new EnvironmentOptions();

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
        LearnedPlayer learned = learned();
        EnvironmentSettings settings =
                (learned == null
                                ? environment.parameters()
                                : environment.parameters(learned.lookahead()))
                        .settings();
        if (learned != null) {
            learned.require(settings);
        }
        var evaluation = new Evaluation(firstSeed(), blocks, episodes);
        between("--search", searched, 0, evaluation.count());
        List<Supplier<ActionPolicy>> chosen = chosen(learned);
        PrintWriter lines = spec.commandLine().getOut();
        lines.println("Evaluating baseline schedulers...");
        if (learned != null) {
            lines.println("LEARNED is " + learned.describe());
        }
        lines.println();
        List<Evaluation.Outcome> outcomes = play(evaluation, settings, chosen, learned != null);
        var notes = new ArrayList<String>();
        if (learned != null) {
            notes.addAll(ScoreLines.difference(outcomes));
        }
        if (searched > 0) {
            notes.addAll(ScoreLines.bound(search(evaluation, settings), outcomes));
        }
        notes.forEach(lines::println);
        if (report != null) {
            String about = learned == null ? "" : learned.describe();
            Output.write(report, ScoreLines.page(typed(), about, evaluation, outcomes, notes));
            Output.write(report.resolveSibling("evaluate.svg"), ScorePlot.svg(outcomes));
        }
        return 0;
    }

    private List<Evaluation.Outcome> play(
            Evaluation evaluation,
            EnvironmentSettings settings,
            List<Supplier<ActionPolicy>> chosen,
            boolean withErrors) {
        PrintWriter lines = spec.commandLine().getOut();
        var outcomes = new ArrayList<Evaluation.Outcome>();
        var rows = new StringBuilder(ScoreLines.COLUMNS).append('\n');
        long all = (long) chosen.size() * evaluation.count();
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("episodes", all, err);
                WorkerThreads threads = WorkerThreads.all()) {
            var parallel = new ParallelEvaluation(settings, threads, progress::step);
            for (Supplier<ActionPolicy> player : chosen) {
                progress.begin(player.get().name());
                Evaluation.Outcome outcome = parallel.of(evaluation, player);
                outcomes.add(outcome);
                progress.clear();
                lines.println(
                        ScoreLines.line(outcome) + (withErrors ? ScoreLines.errors(outcome) : ""));
                lines.flush();
                rows.append(ScoreLines.rows(outcome, episodes));
                if (out != null) {
                    Output.write(out, rows.toString());
                }
            }
        }
        return outcomes;
    }

    /// The best returns found for the first episodes.
    private double[] search(Evaluation evaluation, EnvironmentSettings settings) {
        var best = new double[searched];
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("episodes", searched, err);
                WorkerThreads threads = WorkerThreads.all()) {
            progress.begin("search");
            threads.run(
                    searched,
                    i -> {
                        best[i] = new RolloutSearch(settings).play(evaluation.firstSeed() + i);
                        synchronized (progress) {
                            progress.step();
                        }
                    });
            progress.clear();
        }
        return best;
    }

    private @Nullable LearnedPlayer learned() {
        if (checkpoint == null) {
            return null;
        }
        try {
            return LearnedPlayer.of(checkpoint);
        } catch (IOException e) {
            throw new UserError("--checkpoint: " + FileProblem.with(e));
        }
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

    private List<Supplier<ActionPolicy>> chosen(@Nullable LearnedPlayer learned) {
        var chosen = new ArrayList<Supplier<ActionPolicy>>();
        for (String name : players) {
            Baseline player = Baseline.named(name);
            if (player == null) {
                throw unknown("--player", name, Baseline.NAMES);
            }
            chosen.add(() -> player);
        }
        if (players.isEmpty()) {
            Baseline.PUBLISHED.forEach(player -> chosen.add(() -> player));
        }
        if (players.isEmpty() && learned != null) {
            chosen.add(() -> Baseline.INDEX);
        }
        if (learned != null) {
            chosen.add(learned::player);
        }
        return chosen;
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

    /// What was typed, without the directories and names of files.
    private String typed() {
        var words = new ArrayList<String>(List.of("bin/lab", "evaluate"));
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i).equals("--out") || given.get(i).equals("--report")) {
                i++;
            } else if (given.get(i).equals("--checkpoint") && i + 1 < given.size()) {
                words.add(given.get(i));
                words.add(String.valueOf(Path.of(given.get(++i)).getFileName()));
            } else if (!given.get(i).equals("evaluate")) {
                words.add(given.get(i));
            }
        }
        return String.join(" ", words) + " --report FILE";
    }
}
