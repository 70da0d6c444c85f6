package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.train.RunName;
import io.gpusched.lab.train.TrainingEnvironment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.ppo.CheckpointFile;
import io.gpusched.rl.ppo.LearningEnvironment;
import io.gpusched.rl.ppo.RunFiles;
import io.gpusched.rl.ppo.TrainingPlan;
import io.gpusched.rl.ppo.TrainingRun;
import io.gpusched.rl.ppo.WorkerThreads;
import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// `lab train`: trains a policy by PPO.
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Trains a scheduling policy by proximal policy optimisation (PPO).",
            "",
            "Writes a training curve (CSV), the checkpoint with the best evaluation, and",
            "a checkpoint after every update. A run that was interrupted continues with",
            "--resume and ends with the same weights.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab train --lookahead-mode cdf                     the published experiment",
            "  lab train --preset warm_start --policy-arch score  begins with a known rule",
            "  lab train --resume runs/checkpoints/NAME_last.checkpoint",
            "",
            "docs/experiments/training.md describes the method, the files and the columns."
        })
final class TrainCommand implements Callable<Integer> {
    private static final List<String> WITH_RESUME = List.of("--resume", "--threads");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the weights, the training episodes and the actions (default 1).")
    private long seed = 1;

    @Option(
            names = "--policy-arch",
            paramLabel = "NAME",
            description =
                    "Network of the policy: attn (cross-attention of jobs to GPUs), mlp (linear"
                            + " layers) or score (scores each job by itself) (default attn).")
    private String architecture = "attn";

    @Mixin private TrainingOptions training = new TrainingOptions();

    @Mixin private EnvironmentOptions environment = new EnvironmentOptions();

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            description = "Directory for the training curve and the checkpoints (default runs).")
    private Path runs = Path.of("runs");

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description =
                    "Continue the run of this checkpoint (NAME_last.checkpoint). All settings come"
                            + " from the file; only --threads may be given beside it.")
    private @Nullable Path resume;

    @Override
    public Integer call() {
        try (WorkerThreads threads = training.threads()) {
            if (resume != null) {
                train(resumed(resume), threads);
            } else {
                train(begun(), threads);
            }
        } catch (IOException e) {
            throw new UserError(FileProblem.with(e));
        }
        return 0;
    }

    /// A run that is to be trained.
    ///
    /// @param begins whether it starts from the beginning
    private record Task(
            TrainingPlan plan, EnvironmentSettings settings, RunFiles files, boolean begins) {}

    private Task begun() {
        EnvironmentParameters given = environment.parameters();
        TrainingPlan plan = training.plan(architecture, given, seed);
        String name = RunName.of(plan.preset(), plan.shape(), given.jobsPerEpisode(), seed);
        RunFiles files =
                RunFiles.in(runs, RunName.at(LocalDateTime.now(ZoneId.systemDefault()), name));
        return new Task(plan, given.settings(), files, true);
    }

    private Task resumed(Path file) throws IOException {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!WITH_RESUME.contains(given.longestName())) {
                throw new UserError(
                        "%s: --resume takes all settings from the checkpoint; remove %s"
                                .formatted(given.longestName(), given.longestName()));
            }
        }
        TrainingPlan plan = CheckpointFile.read(file).plan();
        RunFiles files = RunFiles.ofLast(file);
        return new Task(plan, TrainingEnvironment.of(file.toString(), plan), files, false);
    }

    private void train(Task task, WorkerThreads threads) throws IOException {
        PrintWriter lines = spec.commandLine().getOut();
        var atExit = new Thread(() -> tellHowToResume(task.files()), "tell-how-to-resume");
        Runtime.getRuntime().addShutdownHook(atExit);
        int all = task.plan().settings().updates(task.plan().totalSteps());
        try (var progress = StepProgress.of("updates", all, spec.commandLine().getErr())) {
            Consumer<String> console =
                    line -> {
                        progress.clear();
                        lines.println(line);
                        lines.flush();
                    };
            progress.begin("training");
            TrainingRun run = run(task, threads, console);
            progress.restart();
            progress.skip(run.update());
            while (!run.isDone()) {
                run.next();
                progress.step();
            }
            progress.begin("evaluating");
            run.finish();
            console.accept("[PPO] Best checkpoint: " + task.files().best());
        } finally {
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }

    private static TrainingRun run(Task task, WorkerThreads threads, Consumer<String> console)
            throws IOException {
        Supplier<LearningEnvironment> supplier = TrainingEnvironment.supplier(task.settings());
        return task.begins()
                ? TrainingRun.begin(task.plan(), task.files(), supplier, threads, console)
                : TrainingRun.resume(task.plan(), task.files(), supplier, threads, console);
    }

    /// Runs when the process is stopped in the middle of a run. Every update has written a
    /// checkpoint, so there is nothing left to save.
    private void tellHowToResume(RunFiles files) {
        PrintWriter err = spec.commandLine().getErr();
        err.println();
        err.println(
                Files.exists(files.last())
                        ? "interrupted; continue with: bin/lab train --resume " + files.last()
                        : "interrupted before the first checkpoint; start again");
        err.flush();
    }
}
