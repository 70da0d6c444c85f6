package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.SeededRandom;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The mean completion time of slices of a GPU trace. The cost is the mean of the logarithms, so
/// that every slice counts the same. Of the early slices, one in five is kept apart for validation.
public final class SliceObjective implements OrderObjective {
    private static final int KEPT_APART = 5;

    /// The least number of early slices, of which one is for validation.
    public static final int FEWEST = KEPT_APART;

    private final SliceRun runs;
    private final Duration bound;
    private final long seed;
    private final int batch;
    private final List<ClusterSlices.Slice> training = new ArrayList<>();
    private final List<ClusterSlices.Slice> validation = new ArrayList<>();

    /// @param bound how long the model may keep a job waiting
    /// @param batch how many slices judge a generation
    public SliceObjective(ClusterSlices slices, Duration bound, long seed, int batch) {
        this.runs = new SliceRun(slices);
        this.bound = bound;
        this.seed = seed;
        this.batch = batch;
        for (int i = 0; i < slices.early().size(); i++) {
            (i % KEPT_APART == KEPT_APART - 1 ? validation : training).add(slices.early().get(i));
        }
    }

    @Override
    public String encoder() {
        return HeadEncoder.VERSION;
    }

    @Override
    public double cost(ScoreModel model, int generation) {
        SeededRandom random = SeededRandom.of(seed, "slices", generation);
        double sum = 0;
        for (int i = 0; i < batch; i++) {
            sum += cost(model, random.pick(training));
        }
        return sum / batch;
    }

    @Override
    public double validation(ScoreModel model) {
        double sum = 0;
        for (ClusterSlices.Slice slice : validation) {
            sum += cost(model, slice);
        }
        return sum / validation.size();
    }

    private double cost(ScoreModel model, ClusterSlices.Slice slice) {
        return StrictMath.log(runs.run(slice, model, bound).completion());
    }
}
