package io.gpusched.rl.ppo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Trains a model by a plan: updates, evaluations, the log, and checkpoints.
///
/// After every update the run writes a checkpoint from which it can be resumed. The resumed run
/// ends with the same weights, bit for bit. The model with the best evaluation is kept in a file of
/// its own.
public final class TrainingRun {
    private static final int IMITATION_LINE_EVERY = 10;

    private final RunFiles files;
    private final Supplier<? extends LearningEnvironment> environments;
    private final WorkerThreads threads;
    private final Consumer<String> console;
    private final TrainingPlan plan;
    private final Ppo ppo;
    private final TrainingLog log;
    private Checkpoint checkpoint;

    private TrainingRun(
            Checkpoint checkpoint,
            RunFiles files,
            Supplier<? extends LearningEnvironment> environments,
            WorkerThreads threads,
            Consumer<String> console)
            throws IOException {
        this.checkpoint = checkpoint;
        this.files = files;
        this.environments = environments;
        this.threads = threads;
        this.console = console;
        this.plan = checkpoint.plan();
        this.ppo =
                new Ppo(
                        plan.settings(),
                        checkpoint.policy(),
                        checkpoint.value(),
                        environments,
                        threads,
                        plan.seed());
        createFolder(files.log());
        createFolder(files.best());
        createFolder(files.last());
        this.log =
                TrainingLog.resume(
                        files.log(), plan.evaluationBlocks(), checkpoint.progress().update());
    }

    private static void createFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
    }

    /// Begins a run.
    ///
    /// @param console gets the lines to print
    public static TrainingRun begin(
            TrainingPlan plan,
            RunFiles files,
            Supplier<? extends LearningEnvironment> environments,
            WorkerThreads threads,
            Consumer<String> console)
            throws IOException {
        Files.deleteIfExists(files.log());
        var run = new TrainingRun(Checkpoint.initial(plan), files, environments, threads, console);
        run.imitate();
        run.save(run.checkpoint.progress());
        return run;
    }

    /// Continues an interrupted run from its last checkpoint. Another plan is refused.
    public static TrainingRun resume(
            TrainingPlan plan,
            RunFiles files,
            Supplier<? extends LearningEnvironment> environments,
            WorkerThreads threads,
            Consumer<String> console)
            throws IOException {
        Checkpoint saved = CheckpointFile.read(files.last()).requireShape(plan.shape());
        Checkpoint.RunState state = saved.state();
        if (state == null) {
            throw new BadCheckpoint(files.last() + ": the checkpoint has no state to resume from");
        }
        if (!saved.plan().equals(plan)) {
            throw new BadCheckpoint(
                    files.last()
                            + ": the checkpoint is of another run: expected "
                            + plan
                            + "; found "
                            + saved.plan());
        }
        var run = new TrainingRun(saved, files, environments, threads, console);
        List<EpisodeRunner> runners = run.ppo.runners();
        for (int i = 0; i < runners.size(); i++) {
            runners.get(i).restore(state.episodes.get(i), state.actions.get(i));
        }
        return run;
    }

    private void imitate() {
        for (int i = 1; i <= plan.settings().imitationUpdates(); i++) {
            UpdateResult result = ppo.imitate(i, plan.settings().imitationRate());
            if (i % IMITATION_LINE_EVERY == 0) {
                console.accept(
                        TrainingLog.imitationLine(result, plan.settings().imitationUpdates()));
            }
        }
    }

    /// How many updates are done.
    public int update() {
        return checkpoint.progress().update();
    }

    /// How many updates the whole run has.
    public int updates() {
        return plan.updates();
    }

    public boolean isDone() {
        return update() >= plan.updates();
    }

    /// Makes the next update, evaluates the policy when it is time, and saves.
    public UpdateResult next() throws IOException {
        int update = update() + 1;
        UpdateResult result;
        try {
            result = ppo.update(update, plan.rateAt(update));
        } catch (TrainingDiverged diverged) {
            throw new TrainingDiverged(
                    diverged.getMessage()
                            + "; training stopped, and the model after update "
                            + (update - 1)
                            + " is in "
                            + files.last());
        }
        Checkpoint.Progress progress = checkpoint.progress().after(update);
        PolicyEvaluation.Result evaluation = null;
        if (update % plan.evaluationInterval() == 0) {
            evaluation = evaluate(plan.validation(), checkpoint.policy());
            if (progress.isBeatenBy(evaluation.mean())) {
                progress = progress.withBest(evaluation.mean());
                CheckpointFile.write(files.best(), checkpoint.at(progress, null).forUse());
            }
        }
        log.add(result, evaluation);
        console.accept(TrainingLog.line(result));
        save(progress);
        return result;
    }

    private void save(Checkpoint.Progress progress) throws IOException {
        checkpoint = checkpoint.at(progress, Checkpoint.RunState.of(ppo.runners()));
        CheckpointFile.write(files.last(), checkpoint);
    }

    /// Makes the remaining updates. Then it evaluates the best model on the validation seeds and on
    /// the seeds of the report.
    ///
    /// @return the best model
    public Checkpoint finish() throws IOException {
        Checkpoint best = complete();
        print("VAL", plan.last(plan.validationSeed()), best.policy());
        print("REPORT", plan.last(plan.validationSeed() + plan.reportOffset()), best.policy());
        console.accept("[PPO] Training curve CSV: " + files.log());
        return best;
    }

    /// Makes the remaining updates. A run too short for an evaluation keeps its last model.
    ///
    /// @return the best model
    public Checkpoint complete() throws IOException {
        while (!isDone()) {
            next();
        }
        if (checkpoint.progress().bestUpdate() == 0) {
            CheckpointFile.write(files.best(), checkpoint.forUse());
        }
        return CheckpointFile.read(files.best());
    }

    private void print(String seeds, PolicyEvaluation by, TrainedNetwork policy) {
        console.accept(TrainingLog.line(seeds, by, evaluate(by, policy)));
    }

    private PolicyEvaluation.Result evaluate(PolicyEvaluation by, TrainedNetwork policy) {
        return by.of(policy.network(), policy.weights(), environments, threads);
    }
}
