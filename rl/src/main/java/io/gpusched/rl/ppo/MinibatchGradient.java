package io.gpusched.rl.ppo;

import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.rl.network.NeuralNetwork;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Computes the gradients of both networks for a minibatch, on several threads.
///
/// The minibatch is cut into parts, always the same number. Each part has its own gradient, and the
/// gradients are added in the order of the parts, so the sum does not depend on the threads.
final class MinibatchGradient {
    private static final int PARTS = 4;

    private final TrainedNetwork policy;
    private final TrainedNetwork value;
    private final WorkerThreads threads;
    private final List<Part> parts = new ArrayList<>();
    private final float[] policyGradient;
    private final float[] valueGradient;
    private final LossSums sums = new LossSums();

    MinibatchGradient(TrainedNetwork policy, TrainedNetwork value, WorkerThreads threads) {
        this.policy = policy;
        this.value = value;
        this.threads = threads;
        this.policyGradient = new float[policy.weights().length];
        this.valueGradient = new float[value.weights().length];
        for (int i = 0; i < PARTS; i++) {
            parts.add(new Part());
        }
    }

    float[] ofPolicy() {
        return policyGradient;
    }

    float[] ofValue() {
        return valueGradient;
    }

    /// The gradient of the summed loss of the samples `order[from]` to `order[to - 1]`.
    LossSums compute(Rollout rollout, int[] order, int from, int to, SampleLoss loss) {
        threads.run(
                PARTS,
                i -> {
                    int size = to - from;
                    int start = from + i * size / PARTS;
                    int end = from + (i + 1) * size / PARTS;
                    parts.get(i).compute(rollout, order, start, end, loss);
                });
        sum(policyGradient, parts.stream().map(each -> each.policyGradient).toList());
        sum(valueGradient, parts.stream().map(each -> each.valueGradient).toList());
        sums.clear();
        parts.forEach(each -> sums.add(each.partSums));
        return sums;
    }

    private static void sum(float[] total, List<float[]> addends) {
        Arrays.fill(total, 0);
        for (float[] each : addends) {
            for (int i = 0; i < total.length; i++) {
                total[i] += each[i];
            }
        }
    }

    /// Estimates the value of each step of a rollout.
    void estimateValues(Rollout rollout) {
        int chunk = parts.getFirst().valuePass.capacity();
        int chunks = Math.ceilDiv(rollout.steps, chunk);
        threads.run(
                PARTS,
                i -> {
                    for (int c = i * chunks / PARTS; c < (i + 1) * chunks / PARTS; c++) {
                        int from = c * chunk;
                        int to = Math.min(from + chunk, rollout.steps);
                        parts.get(i).estimateValues(rollout, from, to);
                    }
                });
    }

    /// The value of one observation.
    float valueOf(float[] observation) {
        Part part = parts.getFirst();
        part.valuePass.forward(value.weights(), observation, new boolean[0], 1, part.estimates);
        return part.estimates[0];
    }

    private final class Part {
        private final NeuralNetwork.Pass policyPass = policy.network().pass();
        private final NeuralNetwork.Pass valuePass = value.network().pass();
        private final float[] policyGradient = new float[policy.weights().length];
        private final float[] valueGradient = new float[value.weights().length];
        private final LossSums partSums = new LossSums();
        private final int[] chosen;
        private final float[] observations;
        private final boolean[] allowed;
        private final float[] logits;
        private final float[] probabilities;
        private final float[] logitGradient;
        private final float[] estimates;
        private final float[] estimateGradient;

        Part() {
            int most = Math.max(policyPass.capacity(), valuePass.capacity());
            int actions = policy.network().outputs();
            this.chosen = new int[most];
            this.observations = new float[most * policy.network().observed()];
            this.allowed = new boolean[most * actions];
            this.logits = new float[most * actions];
            this.probabilities = new float[most * actions];
            this.logitGradient = new float[most * actions];
            this.estimates = new float[most];
            this.estimateGradient = new float[most];
        }

        void compute(Rollout rollout, int[] order, int from, int to, SampleLoss loss) {
            Arrays.fill(policyGradient, 0);
            Arrays.fill(valueGradient, 0);
            partSums.clear();
            int count = 0;
            for (int i = from; i < to; i++) {
                if (rollout.choice[order[i]]) {
                    chosen[count++] = order[i];
                }
                if (count == policyPass.capacity() || (i == to - 1 && count > 0)) {
                    policy(rollout, count, loss);
                    count = 0;
                }
            }
            for (int i = from; i < to; i += valuePass.capacity()) {
                value(rollout, order, i, Math.min(to, i + valuePass.capacity()), loss);
            }
        }

        private void policy(Rollout rollout, int count, SampleLoss loss) {
            int actions = rollout.actions;
            for (int k = 0; k < count; k++) {
                copyObservation(rollout, chosen[k], k);
                System.arraycopy(
                        rollout.allowed, chosen[k] * actions, allowed, k * actions, actions);
            }
            policyPass.forward(policy.weights(), observations, allowed, count, logits);
            Arrays.fill(logitGradient, 0, count * actions, 0);
            for (int k = 0; k < count; k++) {
                int row = k * actions;
                MaskedSoftmax.probabilities(logits, allowed, row, actions, probabilities);
                loss.policy(chosen[k], probabilities, row, logitGradient, partSums);
            }
            policyPass.backward(policy.weights(), logitGradient, policyGradient);
        }

        private void value(Rollout rollout, int[] order, int from, int to, SampleLoss loss) {
            for (int i = from; i < to; i++) {
                copyObservation(rollout, order[i], i - from);
            }
            valuePass.forward(value.weights(), observations, allowed, to - from, estimates);
            for (int i = from; i < to; i++) {
                float estimate = estimates[i - from];
                estimateGradient[i - from] = loss.value(order[i], estimate, partSums);
            }
            valuePass.backward(value.weights(), estimateGradient, valueGradient);
        }

        private void estimateValues(Rollout rollout, int from, int to) {
            for (int step = from; step < to; step++) {
                copyObservation(rollout, step, step - from);
            }
            valuePass.forward(value.weights(), observations, allowed, to - from, estimates);
            System.arraycopy(estimates, 0, rollout.values, from, to - from);
        }

        private void copyObservation(Rollout rollout, int step, int row) {
            int seen = rollout.observed;
            System.arraycopy(rollout.observations, step * seen, observations, row * seen, seen);
        }
    }
}
