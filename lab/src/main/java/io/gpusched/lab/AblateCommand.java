package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.evaluate.ParallelEvaluation;
import io.gpusched.lab.train.AblationCell;
import io.gpusched.lab.train.AblationTable;
import io.gpusched.lab.train.RunName;
import io.gpusched.lab.train.TrainingEnvironment;
import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.Lookahead;
import io.gpusched.rl.ppo.Checkpoint;
import io.gpusched.rl.ppo.LearningEnvironment;
import io.gpusched.rl.ppo.Preset;
import io.gpusched.rl.ppo.RunFiles;
import io.gpusched.rl.ppo.TrainingPlan;
import io.gpusched.rl.ppo.TrainingRun;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// `lab ablate`: trains every combination of network and look-ahead with several seeds.
@Command(
        name = "ablate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Trains every combination of network and look-ahead mode with several seeds",
            "and prints the mean returns with confidence intervals over the seeds.",
            "",
            "An interrupted ablation continues when the same command is given again.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab ablate --report ablation.md              the table of the benchmark",
            "  lab ablate --seeds 1 --total-timesteps 20000 a quick look",
            "  lab ablate --policy-arch attn --lookahead-mode cdf --seeds 1,2,3",
            "",
            "docs/experiments/training.md describes the method and the files."
        })
final class AblateCommand implements Callable<Integer> {
    private static final long PUBLISHED_STEPS = 200_000;
    private static final List<Baseline> BASELINES =
            List.of(Baseline.FIFO, Baseline.SJF, Baseline.RAND_FEAS_NO0, Baseline.INDEX);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            split = ",",
            description = "Training seeds, separated by commas (default 1,2,3).")
    private List<Long> seeds = List.of(1L, 2L, 3L);

    @Option(
            names = "--policy-arch",
            paramLabel = "NAME",
            split = ",",
            description = "Networks, separated by commas (default mlp,attn).")
    private List<String> architectures = List.of("mlp", "attn");

    @Option(
            names = "--lookahead-mode",
            paramLabel = "MODE",
            split = ",",
            description = "Look-ahead modes, separated by commas (default off,per_gpu,sorted,cdf).")
    private List<String> lookaheads = Lookahead.NAMES;

    @Mixin private TrainingOptions training = new TrainingOptions();

    @Mixin private WorkloadOptions workload = new WorkloadOptions();

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            description = "Directory for the files of all runs (default runs/ablation).")
    private Path runs = Path.of("runs", "ablation");

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    /// One training run of the table.
    private record Task(String row, TrainingPlan plan, EnvironmentSettings settings, String name) {}

    @Override
    public Integer call() {
        List<Task> tasks = tasks();
        var atExit = new Thread(this::tellHowToContinue, "tell-how-to-continue");
        Runtime.getRuntime().addShutdownHook(atExit);
        try (WorkerThreads threads = training.threads()) {
            Files.createDirectories(runs);
            finish(tasks, threads);
        } catch (IOException e) {
            throw new UserError(FileProblem.with(e));
        } finally {
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
        return 0;
    }

    /// All combinations with the first seed come first.
    private List<Task> tasks() {
        var tasks = new ArrayList<Task>();
        for (long seed : seeds) {
            for (String architecture : architectures) {
                for (String lookahead : lookaheads) {
                    EnvironmentParameters given = workload.parameters(lookahead);
                    TrainingPlan plan = training.plan(architecture, given, seed);
                    String name =
                            RunName.of(plan.preset(), plan.shape(), given.jobsPerEpisode(), seed);
                    tasks.add(
                            new Task(architecture + " " + lookahead, plan, given.settings(), name));
                }
            }
        }
        return tasks;
    }

    private void finish(List<Task> tasks, WorkerThreads threads) throws IOException {
        PrintWriter lines = spec.commandLine().getOut();
        var table = new AblationTable();
        long all = tasks.stream().mapToLong(task -> task.plan().updates()).sum();
        try (var progress = StepProgress.of("updates", all, spec.commandLine().getErr())) {
            for (Task task : tasks) {
                progress.begin(task.row() + " seed " + task.plan().seed());
                AblationCell cell = cell(task, threads, progress);
                table.add(cell);
                progress.clear();
                lines.printf(
                        "%-14s seed %-3d | VAL %.3f (se %.3f) | REPORT %.3f (se %.3f)%n",
                        cell.row(),
                        cell.seed(),
                        cell.validation().mean(),
                        cell.validation().error(),
                        cell.report().mean(),
                        cell.report().error());
                lines.flush();
            }
        }
        addBaselines(table, tasks, threads);
        lines.println();
        table.lines().forEach(lines::println);
        lines.flush();
        if (report != null) {
            TrainingPlan plan = tasks.getFirst().plan();
            Output.write(report, table.page(typed(), about(tasks), isPublished(plan)));
        }
    }

    /// Reads the result of a run that is finished, or trains until it is.
    private AblationCell cell(Task task, WorkerThreads threads, StepProgress progress)
            throws IOException {
        TrainingPlan plan = task.plan();
        Path result = runs.resolve(task.name() + ".result");
        if (Files.exists(result)) {
            progress.skip(plan.updates());
            return AblationCell.read(result, task.row(), plan.seed(), plan.toString());
        }
        RunFiles files = RunFiles.in(runs, task.name());
        Supplier<LearningEnvironment> supplier = TrainingEnvironment.supplier(task.settings());
        TrainingRun run =
                Files.exists(files.last())
                        ? TrainingRun.resume(plan, files, supplier, threads, line -> {})
                        : TrainingRun.begin(plan, files, supplier, threads, line -> {});
        progress.skip(run.update());
        while (!run.isDone()) {
            run.next();
            progress.step();
        }
        Checkpoint best = run.complete();
        AblationCell cell = cell(task, () -> best.player(task.row()), threads);
        cell.write(result, plan.toString());
        return cell;
    }

    private AblationCell cell(
            Task task, Supplier<? extends ActionPolicy> players, WorkerThreads threads) {
        var parallel = new ParallelEvaluation(task.settings(), threads, () -> {});
        long first = task.plan().validationSeed();
        int episodes = training.finalEpisodes();
        Evaluation.Outcome validation = parallel.of(new Evaluation(first, 1, episodes), players);
        Evaluation.Outcome kept =
                parallel.of(new Evaluation(first + training.reportOffset(), 1, episodes), players);
        return new AblationCell(
                validation.player(),
                task.plan().seed(),
                AblationCell.Score.of(validation),
                AblationCell.Score.of(kept));
    }

    /// The baselines play the same episodes. They do not see the look-ahead.
    private void addBaselines(AblationTable table, List<Task> tasks, WorkerThreads threads) {
        for (Baseline baseline : BASELINES) {
            for (int i = 0; i < tasks.size(); i += architectures.size() * lookaheads.size()) {
                table.addBaseline(cell(tasks.get(i), () -> baseline, threads));
            }
        }
    }

    /// Whether the settings are those of the published table.
    private static boolean isPublished(TrainingPlan plan) {
        return plan.preset().equals(Preset.BASELINE_STABLE.toString())
                && plan.totalSteps() == PUBLISHED_STEPS
                && plan.shape().gpus() == EnvironmentParameters.USUAL.numGpus()
                && plan.shape().window() == EnvironmentParameters.USUAL.maxQueueSize()
                && plan.environment()
                        .equals(TrainingEnvironment.describe(EnvironmentParameters.USUAL));
    }

    private String about(List<Task> tasks) {
        TrainingPlan plan = tasks.getFirst().plan();
        long first = plan.settings().evaluationSeeds();
        int last = training.finalEpisodes() - 1;
        return ("Each run trains for %,d steps with the preset %s, evaluates every %d updates on %d"
                        + " episodes, and keeps the best checkpoint. Training seeds: %s. A run with"
                        + " the training seed S plays %d episodes of VAL, with the seeds %d+S to"
                        + " %d+S, and as many of REPORT, with the seeds %d+S to %d+S.")
                .formatted(
                        plan.totalSteps(),
                        plan.preset(),
                        plan.evaluationInterval(),
                        plan.evaluationBlocks() * plan.evaluationEpisodes(),
                        String.join(", ", seeds.stream().map(String::valueOf).toList()),
                        training.finalEpisodes(),
                        first,
                        first + last,
                        first + training.reportOffset(),
                        first + training.reportOffset() + last);
    }

    /// What was typed, without the names of files.
    private String typed() {
        var words = new ArrayList<String>(List.of("bin/lab"));
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i).equals("--runs") || given.get(i).equals("--report")) {
                i++;
            } else {
                words.add(given.get(i));
            }
        }
        return String.join(" ", words) + " --report FILE";
    }

    private void tellHowToContinue() {
        PrintWriter err = spec.commandLine().getErr();
        err.println();
        err.println("interrupted; the same command continues the ablation");
        err.flush();
    }
}
