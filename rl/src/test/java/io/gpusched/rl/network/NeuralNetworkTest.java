package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

final class NeuralNetworkTest {
    private static final TestQueue QUEUE = new TestQueue(6, 4);

    /// Small networks, so that every weight can be checked.
    static List<NeuralNetwork> policies() {
        return List.of(
                new MlpNetwork(1, 30, 9, 8, 7),
                new AttentionNetwork(6, 4, 8),
                new ScoreNetwork(new QueueEncoder(6, 4), 7));
    }

    static List<NeuralNetwork> equivariant() {
        return List.of(AttentionNetwork.policy(6, 4), new ScoreNetwork(new QueueEncoder(6, 4), 32));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theGradientOfAPolicyIsRight(NeuralNetwork policy) {
        for (long seed = 1; seed <= 5; seed++) {
            GradientCheck.check(policy, QUEUE.observations(seed, 6, 3, 1, 0, 5), seed);
        }
    }

    static List<NeuralNetwork> values() {
        return List.of(new MlpNetwork(1, 30, 9, 8, 1), new StateNetwork(new QueueEncoder(6, 4), 7));
    }

    @ParameterizedTest
    @MethodSource("values")
    void theGradientOfAValueNetworkIsRight(NeuralNetwork value) {
        for (long seed = 1; seed <= 3; seed++) {
            GradientCheck.check(value, QUEUE.observations(seed, 6, 3, 1, 0), seed);
        }
    }

    @Test
    void theNetworksHaveTheSizesOfTheBenchmark() {
        assertThat(MlpNetwork.policy(210, 51).layout().size()).isEqualTo(50_099);
        assertThat(MlpNetwork.value(210).layout().size()).isEqualTo(43_649);
        assertThat(AttentionNetwork.policy(50, 8).layout().size()).isEqualTo(133_506);
        assertThat(AttentionNetwork.policy(50, 8).observed()).isEqualTo(210);
        assertThat(AttentionNetwork.policy(50, 8).outputs()).isEqualTo(51);
    }

    @Test
    void theNoOpBeginsWithItsBias() {
        var network = AttentionNetwork.policy(50, 8);
        assertThat(network.initialWeights(1, "policy")[133_505]).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theSameSeedGivesTheSameWeights(NeuralNetwork policy) {
        assertThat(policy.initialWeights(3, "policy"))
                .isEqualTo(policy.initialWeights(3, "policy"));
        assertThat(policy.initialWeights(3, "policy"))
                .isNotEqualTo(policy.initialWeights(4, "policy"));
    }

    @ParameterizedTest
    @MethodSource("equivariant")
    void exchangingTwoJobsExchangesTheirLogits(NeuralNetwork policy) {
        float[] weights = policy.initialWeights(1, "policy");
        var seen = new TestQueue(6, 4).observation(6, new SeededRandom(11));
        for (int one = 0; one < 5; one++) {
            var before = new GradientCheck.Batch(policy, List.of(seen));
            var after =
                    new GradientCheck.Batch(
                            policy, List.of(TestQueue.exchange(seen, one, one + 1)));
            before.forward(weights);
            after.forward(weights);
            for (int action = 0; action < 7; action++) {
                int moved = action == one + 1 ? one + 2 : action == one + 2 ? one + 1 : action;
                assertThat(after.outputs[moved]).isEqualTo(before.outputs[action], within(1e-5f));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void anObservationHasTheSameLogitsAloneAndInABatch(NeuralNetwork policy) {
        float[] weights = policy.initialWeights(1, "policy");
        var seen = QUEUE.observations(9, 6, 2, 4, 1);
        var all = new GradientCheck.Batch(policy, seen);
        all.forward(weights);
        for (int i = 0; i < seen.size(); i++) {
            var alone = new GradientCheck.Batch(policy, List.of(seen.get(i)));
            alone.forward(weights);
            for (int action = 0; action < policy.outputs(); action++) {
                if (seen.get(i).allowed()[action]) {
                    assertThat(all.outputs[i * policy.outputs() + action])
                            .isEqualTo(alone.outputs[action]);
                }
            }
        }
    }

    @Test
    void anActionThatIsNotAllowedHasProbabilityZero() {
        float[] logits = {1, 90, Float.NaN, 2};
        boolean[] allowed = {true, false, false, true};
        var probabilities = new float[4];
        MaskedSoftmax.probabilities(logits, allowed, 0, 4, probabilities);
        assertThat(probabilities[1]).isZero();
        assertThat(probabilities[2]).isZero();
        assertThat(probabilities[0] + probabilities[3]).isEqualTo(1, within(1e-6f));
        assertThat(probabilities[3] / probabilities[0]).isEqualTo((float) Math.E, within(1e-5f));
        assertThat(MaskedSoftmax.best(logits, allowed, 0, 4)).isEqualTo(3);
        for (double point : new double[] {0, 0.2, 0.5, 0.999999999}) {
            int drawn = MaskedSoftmax.sample(probabilities, 0, 4, point);
            assertThat(allowed[drawn]).isTrue();
        }
    }
}
