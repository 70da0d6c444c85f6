package io.gpusched.lab.train;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.environment.RequestError;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.ppo.BadCheckpoint;
import io.gpusched.rl.ppo.EnvironmentAdapter;
import io.gpusched.rl.ppo.LearningEnvironment;
import io.gpusched.rl.ppo.ModelShape;
import io.gpusched.rl.ppo.TrainingPlan;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// The environment of a training run, and its description in a checkpoint.
///
/// A checkpoint names what its episodes depend on in the words of the command line, so that people
/// can read it and a run can be resumed from the file alone. The shape of the model has the rest:
/// the number of GPUs, the window and the look-ahead.
public final class TrainingEnvironment {
    private static final String STEPS = "--max-episode-steps";
    private static final String DURATION = "--max-duration";
    private static final String JOBS = "--jobs-per-episode";
    private static final String MODE = "--arrival-mode";
    private static final String SPAN = "--arrival-span";
    private static final String HORIZON = "--horizon-factor";

    private TrainingEnvironment() {}

    /// Makes environments. The rule that a warm start imitates is [Baseline#INDEX].
    public static Supplier<LearningEnvironment> supplier(EnvironmentSettings settings) {
        return () -> new EnvironmentAdapter(new Environment(settings), Baseline.INDEX);
    }

    /// What the episodes depend on beside the shape of the model.
    public static String describe(EnvironmentParameters given) {
        Double span = given.arrivalSpan();
        return String.join(
                " ",
                STEPS,
                Integer.toString(given.maxEpisodeSteps()),
                DURATION,
                Double.toString(given.maxDuration()),
                JOBS,
                Integer.toString(given.jobsPerEpisode()),
                MODE,
                given.arrivalMode(),
                SPAN,
                Double.toString(span == null ? given.maxDuration() : span),
                HORIZON,
                Double.toString(given.horizonFactor()));
    }

    /// The settings that a plan describes.
    ///
    /// @param name what messages call the checkpoint
    public static EnvironmentSettings of(String name, TrainingPlan plan) {
        try {
            return parse(plan.environment(), plan.shape()).settings();
        } catch (IllegalArgumentException | RequestError wrong) {
            throw new BadCheckpoint(
                    name
                            + ": the model was trained in an environment that this command does not"
                            + " have: "
                            + plan.environment());
        }
    }

    private static EnvironmentParameters parse(String text, ModelShape shape) {
        String[] words = text.split(" ");
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        return new EnvironmentParameters(
                shape.gpus(),
                shape.window(),
                Integer.parseInt(values.getOrDefault(STEPS, "")),
                Double.parseDouble(values.getOrDefault(DURATION, "")),
                Integer.parseInt(values.getOrDefault(JOBS, "")),
                values.getOrDefault(MODE, ""),
                Double.valueOf(values.getOrDefault(SPAN, "")),
                Double.parseDouble(values.getOrDefault(HORIZON, "")),
                shape.lookahead());
    }
}
