package io.gpusched.rl.network;

import java.util.Arrays;

/// Computes [AttentionNetwork] for several observations at once.
///
/// A token is one row for which a logit is computed: the no-op first, then each job that can start.
final class AttentionPass implements NeuralNetwork.Pass {
    private static final int CAPACITY = 8;
    private static final float THIRD = 1f / 3;

    private final AttentionNetwork network;
    private final int width;
    private final Perceptron.Run jobs;
    private final Perceptron.Run globals;
    private final GpuTokens gpus;

    /// The first row of each observation's jobs, and its first token.
    private final int[] firstJob = new int[CAPACITY + 1];

    private final int[] firstToken = new int[CAPACITY + 1];

    /// The action of each token.
    private final int[] action;

    private final float[] token;
    private final float[] attention;
    private final float[] residual;
    private final float[] normal1;
    private final float[] deviation1;
    private final float[] middle;
    private final float[] normal2;
    private final float[] deviation2;
    private final float[] last;
    private final float[] projected;
    private final float[] projectedGradient;
    private final float[] tokenGradient;
    private final float[] shares;
    private int count;

    AttentionPass(AttentionNetwork network) {
        this.network = network;
        this.width = network.width;
        int tokens = CAPACITY * network.outputs();
        this.jobs = network.jobs.run(CAPACITY * network.window);
        this.globals = network.globals.run(CAPACITY);
        this.gpus = new GpuTokens(network, CAPACITY);
        this.action = new int[tokens];
        this.token = new float[tokens * width];
        this.attention = new float[tokens * network.gpuCount];
        this.residual = new float[tokens * width];
        this.normal1 = new float[tokens * width];
        this.deviation1 = new float[tokens];
        this.middle = new float[tokens * width];
        this.normal2 = new float[tokens * width];
        this.deviation2 = new float[tokens];
        this.last = new float[tokens * width];
        this.projected = new float[CAPACITY * width];
        this.projectedGradient = new float[CAPACITY * width];
        this.tokenGradient = new float[tokens * width];
        this.shares = new float[network.gpuCount];
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void forward(
            float[] weights,
            float[] observations,
            boolean[] allowed,
            int observed,
            float[] outputs) {
        count = observed;
        read(observations);
        jobs.forward(weights, firstJob[count]);
        gpus.forward(weights, observations, count);
        globals.forward(weights, count);
        network.projection.forward(weights, globals.outputs(), count, projected);
        for (int row = 0; row < count; row++) {
            tokens(row, allowed);
            attend(row);
        }
        int tokens = firstToken[count];
        network.firstNorm.forward(weights, residual, tokens, normal1, deviation1, middle);
        for (int row = 0; row < count; row++) {
            for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
                MatrixProduct.addScaled(1, projected, row * width, middle, at * width, width);
            }
        }
        network.secondNorm.forward(weights, middle, tokens, normal2, deviation2, last);
        logits(weights, outputs);
    }

    /// Copies the features of the jobs that are present, and the global ones. A place holds a job
    /// if it asks for GPUs; such places are the first ones.
    private void read(float[] observations) {
        int perJob = AttentionNetwork.PER_JOB;
        for (int row = 0; row < count; row++) {
            int from = row * network.observed();
            int present = 0;
            while (present < network.window
                    && observations[from + perJob * present + AttentionNetwork.WIDTH_OF_JOB] > 0) {
                present++;
            }
            int to = firstJob[row] * perJob;
            System.arraycopy(observations, from, jobs.inputs(), to, present * perJob);
            firstJob[row + 1] = firstJob[row] + present;
            int globalAt = from + network.observed() - AttentionNetwork.GLOBALS;
            for (int i = 0; i < AttentionNetwork.GLOBALS; i++) {
                globals.inputs()[row * AttentionNetwork.GLOBALS + i] = observations[globalAt + i];
            }
        }
    }

    private void tokens(int row, boolean[] allowed) {
        int at = firstToken[row];
        action[at] = 0;
        int to = at * width;
        Arrays.fill(token, to, to + width, 0);
        for (int job = firstJob[row]; job < firstJob[row + 1]; job++) {
            MatrixProduct.addScaled(1, jobs.outputs(), job * width, token, to, width);
        }
        float part = jobPart(row);
        for (int i = 0; i < width; i++) {
            token[to + i] *= part;
        }
        gpus.addMean(row, THIRD, token, to);
        MatrixProduct.addScaled(THIRD, globals.outputs(), row * width, token, to, width);
        at++;
        for (int place = 0; place < firstJob[row + 1] - firstJob[row]; place++) {
            if (allowed[row * network.outputs() + place + 1]) {
                action[at] = place + 1;
                int job = firstJob[row] + place;
                System.arraycopy(jobs.outputs(), job * width, token, at * width, width);
                at++;
            }
        }
        firstToken[row + 1] = at;
    }

    /// What one job contributes to the no-op token.
    private float jobPart(int row) {
        return THIRD / Math.max(1, firstJob[row + 1] - firstJob[row]);
    }

    private void attend(int row) {
        int kinds = gpus.kinds[row];
        int start = row * network.gpuCount;
        for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
            float most = Float.NEGATIVE_INFINITY;
            for (int kind = 0; kind < kinds; kind++) {
                int gpu = gpus.which[start + kind] * width;
                float dot = MatrixProduct.dot(token, at * width, gpus.queried, gpu, width);
                shares[kind] = network.scale * dot;
                most = Math.max(most, shares[kind]);
            }
            float sum = 0;
            for (int kind = 0; kind < kinds; kind++) {
                float power = (float) StrictMath.exp(shares[kind] - most);
                shares[kind] = gpus.times[start + kind] * power;
                sum += shares[kind];
            }
            System.arraycopy(token, at * width, residual, at * width, width);
            for (int kind = 0; kind < kinds; kind++) {
                float share = shares[kind] / sum;
                attention[at * network.gpuCount + kind] = share;
                int gpu = gpus.which[start + kind] * width;
                MatrixProduct.addScaled(share, gpus.offered, gpu, residual, at * width, width);
            }
        }
    }

    private void logits(float[] weights, float[] outputs) {
        int head = network.head.weights().at();
        float bias = weights[network.head.bias().at()];
        float noop = weights[network.noopBias.at()];
        for (int row = 0; row < count; row++) {
            for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
                float logit = bias + MatrixProduct.dot(last, at * width, weights, head, width);
                logit += action[at] == 0 ? noop : 0;
                outputs[row * network.outputs() + action[at]] = logit;
            }
        }
    }

    @Override
    public void backward(float[] weights, float[] outputGradient, float[] gradient) {
        int tokens = firstToken[count];
        backwardLogits(weights, outputGradient, gradient);
        network.secondNorm.backward(weights, normal2, deviation2, tokens, tokenGradient, gradient);
        Arrays.fill(projectedGradient, 0, count * width, 0);
        for (int row = 0; row < count; row++) {
            for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
                MatrixProduct.addScaled(
                        1, tokenGradient, at * width, projectedGradient, row * width, width);
            }
        }
        network.firstNorm.backward(weights, normal1, deviation1, tokens, tokenGradient, gradient);
        jobs.clearGradient();
        globals.clearGradient();
        gpus.clearGradient();
        for (int row = 0; row < count; row++) {
            backwardAttention(row);
            backwardTokens(row);
        }
        network.projection.backwardWeights(globals.outputs(), projectedGradient, count, gradient);
        network.projection.backwardInputs(
                weights, projectedGradient, count, globals.outputGradient());
        globals.backward(weights, gradient);
        gpus.backward(weights, gradient);
        jobs.backward(weights, gradient);
    }

    private void backwardLogits(float[] weights, float[] outputGradient, float[] gradient) {
        int head = network.head.weights().at();
        for (int row = 0; row < count; row++) {
            for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
                float each = outputGradient[row * network.outputs() + action[at]];
                MatrixProduct.addScaled(each, last, at * width, gradient, head, width);
                gradient[network.head.bias().at()] += each;
                gradient[network.noopBias.at()] += action[at] == 0 ? each : 0;
                for (int i = 0; i < width; i++) {
                    tokenGradient[at * width + i] = each * weights[head + i];
                }
            }
        }
    }

    /// Adds what the token got through its attention to the gradient of the residual, which is also
    /// the gradient of the token itself.
    private void backwardAttention(int row) {
        int kinds = gpus.kinds[row];
        int start = row * network.gpuCount;
        for (int at = firstToken[row]; at < firstToken[row + 1]; at++) {
            int from = at * width;
            int mine = at * network.gpuCount;
            float mean = 0;
            for (int kind = 0; kind < kinds; kind++) {
                int gpu = gpus.which[start + kind] * width;
                float share = attention[mine + kind];
                shares[kind] = MatrixProduct.dot(tokenGradient, from, gpus.offered, gpu, width);
                mean += share * shares[kind];
                MatrixProduct.addScaled(
                        share, tokenGradient, from, gpus.offeredGradient, gpu, width);
            }
            for (int kind = 0; kind < kinds; kind++) {
                int gpu = gpus.which[start + kind] * width;
                float score = attention[mine + kind] * (shares[kind] - mean) * network.scale;
                MatrixProduct.addScaled(score, token, from, gpus.queriedGradient, gpu, width);
                MatrixProduct.addScaled(score, gpus.queried, gpu, tokenGradient, from, width);
            }
        }
    }

    private void backwardTokens(int row) {
        int noop = firstToken[row] * width;
        float part = jobPart(row);
        for (int job = firstJob[row]; job < firstJob[row + 1]; job++) {
            MatrixProduct.addScaled(
                    part, tokenGradient, noop, jobs.outputGradient(), job * width, width);
        }
        gpus.backwardMean(row, THIRD, tokenGradient, noop);
        MatrixProduct.addScaled(
                THIRD, tokenGradient, noop, globals.outputGradient(), row * width, width);
        for (int at = firstToken[row] + 1; at < firstToken[row + 1]; at++) {
            int job = firstJob[row] + action[at] - 1;
            MatrixProduct.addScaled(
                    1, tokenGradient, at * width, jobs.outputGradient(), job * width, width);
        }
    }
}
