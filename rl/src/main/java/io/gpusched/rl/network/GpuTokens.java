package io.gpusched.rl.network;

import java.util.Arrays;

/// The GPUs of the observations of one pass, each distinct look-ahead entry once: their vectors,
/// the keys and values that the jobs attend to, and the way back.
final class GpuTokens {
    private final AttentionNetwork network;
    private final int width;
    private final int gpuCount;
    private final Perceptron.Run run;
    private final float[] keys;
    private final float[] values;
    private final float[] keyGradient;
    private final float[] valueGradient;

    /// For each observation, which distinct entries it has, and how many GPUs have each.
    final int[] kinds;
    final int[] which;
    final int[] times;

    /// The keys times Qᵀ, and the values times O.
    final float[] queried;
    final float[] offered;

    final float[] queriedGradient;
    final float[] offeredGradient;
    private int distinct;

    GpuTokens(AttentionNetwork network, int capacity) {
        this.network = network;
        this.width = network.width;
        this.gpuCount = network.gpuCount;
        int most = capacity * gpuCount;
        this.run = network.gpus.run(most);
        this.keys = new float[most * width];
        this.values = new float[most * width];
        this.keyGradient = new float[most * width];
        this.valueGradient = new float[most * width];
        this.queried = new float[most * width];
        this.offered = new float[most * width];
        this.queriedGradient = new float[most * width];
        this.offeredGradient = new float[most * width];
        this.kinds = new int[capacity];
        this.which = new int[most];
        this.times = new int[most];
    }

    void forward(float[] weights, float[] observations, int count) {
        distinct = 0;
        for (int row = 0; row < count; row++) {
            collect(observations, row);
        }
        run.forward(weights, distinct);
        network.key.forward(weights, run.outputs(), distinct, keys);
        Arrays.fill(queried, 0, distinct * width, 0);
        network.query.backwardInputs(weights, keys, distinct, queried);
        network.value.forward(weights, run.outputs(), distinct, values);
        network.output.forward(weights, values, distinct, offered);
    }

    private void collect(float[] observations, int row) {
        int from = row * network.observed() + AttentionNetwork.PER_JOB * network.window;
        int start = row * gpuCount;
        int found = 0;
        for (int gpu = 0; gpu < gpuCount; gpu++) {
            int at = distinct(observations[from + gpu]);
            int kind = 0;
            while (kind < found && which[start + kind] != at) {
                kind++;
            }
            if (kind == found) {
                which[start + kind] = at;
                times[start + kind] = 0;
                found++;
            }
            times[start + kind]++;
        }
        kinds[row] = found;
    }

    private int distinct(float entry) {
        float[] entries = run.inputs();
        int at = 0;
        while (at < distinct && entries[at] != entry) {
            at++;
        }
        if (at == distinct) {
            entries[at] = entry;
            distinct++;
        }
        return at;
    }

    /// Adds `factor` times the mean vector of an observation's GPUs.
    void addMean(int row, float factor, float[] to, int at) {
        for (int kind = 0; kind < kinds[row]; kind++) {
            float part = factor * times[row * gpuCount + kind] / gpuCount;
            int from = which[row * gpuCount + kind] * width;
            MatrixProduct.addScaled(part, run.outputs(), from, to, at, width);
        }
    }

    void clearGradient() {
        run.clearGradient();
        Arrays.fill(queriedGradient, 0, distinct * width, 0);
        Arrays.fill(offeredGradient, 0, distinct * width, 0);
    }

    void backwardMean(int row, float factor, float[] from, int at) {
        for (int kind = 0; kind < kinds[row]; kind++) {
            float part = factor * times[row * gpuCount + kind] / gpuCount;
            int to = which[row * gpuCount + kind] * width;
            MatrixProduct.addScaled(part, from, at, run.outputGradient(), to, width);
        }
    }

    void backward(float[] weights, float[] gradient) {
        network.output.backwardWeights(values, offeredGradient, distinct, gradient);
        Arrays.fill(valueGradient, 0, distinct * width, 0);
        network.output.backwardInputs(weights, offeredGradient, distinct, valueGradient);
        network.value.backwardWeights(run.outputs(), valueGradient, distinct, gradient);
        network.value.backwardInputs(weights, valueGradient, distinct, run.outputGradient());
        // queried = keys·Qᵀ, so the roles of inputs and outputs of Q are exchanged.
        network.query.backwardWeights(queriedGradient, keys, distinct, gradient);
        network.query.forward(weights, queriedGradient, distinct, keyGradient);
        network.key.backwardWeights(run.outputs(), keyGradient, distinct, gradient);
        network.key.backwardInputs(weights, keyGradient, distinct, run.outputGradient());
        run.backward(weights, gradient);
    }
}
