package io.gpusched.sim;

import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/// Scenarios in which a model of random weights orders the queue. Its order is as good as any other
/// for what must hold whatever a model has learned. Some models give scores that are no numbers.
final class LearnedScenario {
    private static final int HIDDEN = 8;

    private LearnedScenario() {}

    static Scenario of(long seed, Scenario scenario) {
        var random = new Random(seed);
        String policy = Policies.LEARNED.get(random.nextInt(Policies.LEARNED.size()));
        var bound = Duration.ofMinutes(List.of(1, 10, 60, 1440).get(random.nextInt(4)));
        return scenario.withRules(
                scenario.scenarioPolicy()
                        .withPolicy(policy)
                        .withLearned(new LearnedSettings(model(random), bound)));
    }

    /// Any policy; every fourth time one in which a model orders the queue.
    static String anyPolicy(long seed) {
        List<String> names = seed % 4 == 0 ? Policies.LEARNED : Policies.NAMES;
        return names.get((int) (seed / (seed % 4 == 0 ? 4 : 1) % names.size()));
    }

    static Mood mood(long seed) {
        return seed % 2 == 0 ? Mood.CALM : Mood.STORMY;
    }

    private static ScoreModel model(Random random) {
        int[] sizes = {HeadEncoder.FEATURES, HIDDEN, 1};
        var weights = new float[ScoreModel.weightsOf(sizes)];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextGaussian();
        }
        if (random.nextInt(10) == 0) {
            // The score of a job that fits now is no number.
            weights[14 * HIDDEN] = Float.NaN;
        }
        return new ScoreModel(HeadEncoder.VERSION, sizes, weights);
    }
}
