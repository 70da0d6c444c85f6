package io.gpusched.rl.ppo;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A model as a training run left it after some update, and how it was trained.
///
/// A checkpoint for resuming also has the state of the run. A checkpoint for use has none, which
/// makes it a third of the size.
public final class Checkpoint {
    private final TrainingPlan plan;
    private final Progress progress;
    private final TrainedNetwork policy;
    private final TrainedNetwork value;
    private final @Nullable RunState state;

    /// How far the run was.
    ///
    /// @param bestMean the mean return of the best evaluation so far; not a number before the first
    public record Progress(int update, int bestUpdate, double bestMean) {
        static final Progress NONE = new Progress(0, 0, Double.NaN);

        Progress after(int next) {
            return new Progress(next, bestUpdate, bestMean);
        }

        boolean isBeatenBy(double mean) {
            return Double.isNaN(bestMean) || mean > bestMean;
        }

        Progress withBest(double mean) {
            return new Progress(update, update, mean);
        }
    }

    /// The episodes that were under way, one for each environment, as the actions taken in them.
    static final class RunState {
        final List<Long> episodes = new ArrayList<>();
        final List<int[]> actions = new ArrayList<>();

        void add(long episode, int[] taken) {
            episodes.add(episode);
            actions.add(taken);
        }

        static RunState of(List<EpisodeRunner> runners) {
            var state = new RunState();
            runners.forEach(each -> state.add(each.episode(), each.actions()));
            return state;
        }
    }

    Checkpoint(
            TrainingPlan plan,
            Progress progress,
            TrainedNetwork policy,
            TrainedNetwork value,
            @Nullable RunState state) {
        this.plan = plan;
        this.progress = progress;
        this.policy = policy;
        this.value = value;
        this.state = state;
    }

    /// An untrained model.
    static Checkpoint initial(TrainingPlan plan) {
        var policy = TrainedNetwork.initial(plan.shape().policy(), plan.seed(), "policy");
        var value = TrainedNetwork.initial(plan.shape().value(), plan.seed(), "value");
        return new Checkpoint(plan, Progress.NONE, policy, value, null);
    }

    /// A checkpoint of the same model without what is only needed to resume.
    Checkpoint forUse() {
        return new Checkpoint(plan, progress, policy.forUse(), value.forUse(), null);
    }

    Checkpoint at(Progress now, @Nullable RunState running) {
        return new Checkpoint(plan, now, policy, value, running);
    }

    public TrainingPlan plan() {
        return plan;
    }

    public ModelShape shape() {
        return plan.shape();
    }

    public Progress progress() {
        return progress;
    }

    public TrainedNetwork policy() {
        return policy;
    }

    public TrainedNetwork value() {
        return value;
    }

    /// Null in a checkpoint that is not for resuming.
    @Nullable RunState state() {
        return state;
    }

    /// Refuses a model that was made for something else.
    public Checkpoint requireShape(ModelShape expected) {
        if (!shape().equals(expected)) {
            throw new BadCheckpoint(
                    "the checkpoint has another shape: expected "
                            + expected
                            + "; found "
                            + shape()
                            + "; use the settings that it was trained with");
        }
        return this;
    }

    /// A player that acts by this model.
    public NetworkPolicy player(String name) {
        return new NetworkPolicy(name, policy.network(), policy.weights());
    }
}
