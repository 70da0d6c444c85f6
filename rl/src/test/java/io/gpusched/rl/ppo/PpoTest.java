package io.gpusched.rl.ppo;

import static io.gpusched.rl.ppo.TestSettings.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PpoTest {
    private static final PolicyEvaluation EVALUATION = new PolicyEvaluation(7_000, 1, 20, true);

    @Test
    void theIdentityEnvironmentIsSolved() {
        Trained trained = train(settings().make(), 1, 2, 40);
        assertThat(trained.evaluate().mean()).isEqualTo(IdentityEnvironment.LENGTH);
        assertThat(trained.last.meanReturn()).isGreaterThan(0.95 * IdentityEnvironment.LENGTH);
        assertThat(trained.last.meanLength()).isEqualTo(IdentityEnvironment.LENGTH);
        assertThat(trained.last.invalidPart()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theSameSeedGivesTheSameWeightsOnAnyNumberOfThreads(int threads) {
        Trained one = train(settings().make(), 5, 1, 3);
        Trained other = train(settings().make(), 5, threads, 3);
        assertThat(other.policy.weights()).isEqualTo(one.policy.weights());
        assertThat(other.value.weights()).isEqualTo(one.value.weights());
        assertThat(other.last).isEqualTo(one.last);
    }

    @Test
    void anotherSeedGivesOtherWeights() {
        float[] one = train(settings().make(), 5, 1, 1).policy.weights();
        assertThat(train(settings().make(), 6, 1, 1).policy.weights()).isNotEqualTo(one);
    }

    @Test
    void anUpdateStopsWhenThePolicyHasMovedTooFar() {
        Trained free = train(settings().rate(0.03).make(), 1, 1, 1);
        assertThat(free.last.stopped()).isFalse();
        assertThat(free.policy.optimiser().steps()).isEqualTo(8);
        Trained held = train(settings().rate(0.03).targetKl(1e-3).make(), 1, 1, 1);
        assertThat(held.last.stopped()).isTrue();
        assertThat(held.last.klLast()).isGreaterThan(1e-3).isEqualTo(held.last.klMax());
        assertThat(held.policy.optimiser().steps()).isLessThan(8);
    }

    @Test
    void imitationLearnsWhatIsAdvised() {
        Trained taught = train(settings().imitationUpdates(40).make(), 1, 2, 0);
        assertThat(taught.evaluate().mean()).isEqualTo(IdentityEnvironment.LENGTH);
    }

    /// The definition, summed up forwards: discounted errors up to the end of the episode.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void advantagesAreDiscountedSumsOfErrorsWithinAnEpisode(long seed) {
        PpoSettings settings = settings().make();
        Rollout rollout = rollout(30, seed);
        float after = 0.7f;
        Ppo.advantages(rollout, 0, 30, after, settings);
        for (int i = 0; i < 30; i++) {
            double expected = 0;
            double factor = 1;
            for (int k = i; k < 30; k++) {
                double next = k == 29 ? after : rollout.values[k + 1];
                next = rollout.ends[k] ? 0 : next;
                double error = rollout.rewards[k] + settings.discount() * next - rollout.values[k];
                expected += factor * error;
                factor *= settings.discount() * settings.gaeDecay();
                if (rollout.ends[k]) {
                    break;
                }
            }
            assertThat(rollout.advantages[i]).isEqualTo((float) expected, within(1e-5f));
            assertThat(rollout.returns[i])
                    .isEqualTo((float) (expected + rollout.values[i]), within(1e-5f));
        }
    }

    @Test
    void whatComesAfterAnEpisodeDoesNotChangeItsAdvantages() {
        PpoSettings settings = settings().make();
        Rollout rollout = rollout(30, 1);
        rollout.ends[12] = true;
        Ppo.advantages(rollout, 0, 30, 0.7f, settings);
        float[] before = rollout.advantages.clone();
        for (int i = 13; i < 30; i++) {
            rollout.rewards[i] += 5;
            rollout.values[i] -= 3;
        }
        Ppo.advantages(rollout, 0, 30, -9, settings);
        for (int i = 0; i < 30; i++) {
            if (i <= 12) {
                assertThat(rollout.advantages[i]).isEqualTo(before[i]);
            } else {
                assertThat(rollout.advantages[i]).isNotEqualTo(before[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theGradientOfTheLossIsRight(long seed) {
        PpoSettings settings = settings().make();
        var random = new SeededRandom(seed);
        Rollout rollout = rollout(1, seed);
        boolean[] allowed = {true, true, false, true, true};
        float[] logits = {0, 0, 0, 0, 0};
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) (random.unit() - 0.5);
        }
        rollout.taken[0] = 3;
        rollout.advantages[0] = seed % 2 == 0 ? 1 : -1;
        rollout.logProbabilities[0] = -1.4f + 0.1f * seed % 3;
        rollout.entropies[0] = 1.2f;
        var loss = new Ppo.ClippedLoss(rollout, settings);
        var gradient = new float[5];
        loss.policy(0, softmax(logits, allowed), 0, gradient, new LossSums());
        for (int i = 0; i < 5; i++) {
            float kept = logits[i];
            logits[i] = kept + 1e-2f;
            double more = loss(loss, settings, logits, allowed);
            logits[i] = kept - 1e-2f;
            double less = loss(loss, settings, logits, allowed);
            logits[i] = kept;
            assertThat((double) gradient[i]).isEqualTo((more - less) / 2e-2, within(2e-3));
        }
    }

    private static double loss(
            SampleLoss loss, PpoSettings settings, float[] logits, boolean[] allowed) {
        var sums = new LossSums();
        loss.policy(0, softmax(logits, allowed), 0, new float[5], sums);
        return sums.policy - settings.entropyBonus() * sums.entropy;
    }

    private static float[] softmax(float[] logits, boolean[] allowed) {
        var probabilities = new float[5];
        MaskedSoftmax.probabilities(logits, allowed, 0, 5, probabilities);
        return probabilities;
    }

    @Test
    void theValueLossIsClipped() {
        Rollout rollout = rollout(1, 1);
        rollout.values[0] = 1;
        rollout.returns[0] = 2;
        var loss = new Ppo.ClippedLoss(rollout, settings().make());
        var sums = new LossSums();
        assertThat(loss.value(0, 1.1f, sums)).isEqualTo(0.5f * -0.9f, within(1e-6f));
        assertThat(sums.value).isEqualTo(0.5 * 0.81, within(1e-6));
        sums.clear();
        assertThat(loss.value(0, 1.7f, sums)).isZero();
        assertThat(sums.value).isEqualTo(0.5 * 0.64, within(1e-6));
    }

    private static Rollout rollout(int steps, long seed) {
        var random = new SeededRandom(seed);
        var rollout = new Rollout(steps, 1, 5);
        for (int i = 0; i < steps; i++) {
            rollout.rewards[i] = (float) random.unit();
            rollout.values[i] = (float) random.unit();
            rollout.ends[i] = random.chance(0.15);
        }
        return rollout;
    }

    private record Trained(TrainedNetwork policy, TrainedNetwork value, UpdateResult last) {
        PolicyEvaluation.Result evaluate() {
            try (var threads = new WorkerThreads(1)) {
                return EVALUATION.of(
                        policy.network(), policy.weights(), IdentityEnvironment::new, threads);
            }
        }
    }

    private static Trained train(PpoSettings settings, long seed, int threadCount, int updates) {
        ModelShape shape = IdentityEnvironment.SHAPE;
        var policy = TrainedNetwork.initial(shape.policy(), seed, "policy");
        var value = TrainedNetwork.initial(shape.value(), seed, "value");
        try (var threads = new WorkerThreads(threadCount)) {
            var ppo = new Ppo(settings, policy, value, IdentityEnvironment::new, threads, seed);
            UpdateResult last = null;
            for (int i = 1; i <= settings.imitationUpdates(); i++) {
                last = ppo.imitate(i, settings.imitationRate());
            }
            for (int i = 1; i <= updates; i++) {
                last = ppo.update(i, settings.rateAt(0));
            }
            return new Trained(policy, value, java.util.Objects.requireNonNull(last));
        }
    }
}
