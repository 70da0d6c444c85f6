package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

/// A policy in which every job looks at the GPUs by cross-attention. One head, shared by all jobs,
/// gives the logits, so the order of the jobs does not matter.
///
///     job     4 → d → d  e    ┐ z = e + softmax(e·Q·(k)ᵀ/√d)·v·O    over the GPUs
///     GPU     1 → d → d  g    ┘ with k = g·K, v = g·V
///     global  2 → d → d  c      y = norm(norm(z) + c·P + p)
///                               logit = y·h + b
///
/// The no-op is a token of its own: the mean of the jobs' mean, the GPUs' mean and the global
/// vector. It goes the same way, and its logit has a learned bias. The mean of the jobs is over the
/// jobs that are present, not over empty places of the window.
///
/// Three observations save most of the work of the textbook form:
///
/// - Scores are `e·(Q·kᵀ)`, and the result is a mean of `v·O`. So Q and O are multiplied with the
///   few GPUs instead of the many jobs.
/// - GPUs with the same look-ahead entry have the same vectors: idle GPUs, GPUs of one job, and all
///   of the nine values that the mode `cdf` has. Each distinct value is computed once per pass and
///   counts as often as it occurs.
/// - Only jobs that can start, and the no-op, need logits. The other jobs enter the mean alone.
public final class AttentionNetwork implements NeuralNetwork {
    /// How many numbers of an observation describe one job.
    public static final int PER_JOB = 4;

    /// How many numbers at the end of an observation describe the whole cluster.
    public static final int GLOBALS = 2;

    static final int WIDTH_OF_JOB = 2;

    private static final int HIDDEN = 128;
    private static final double HEAD_GAIN = 0.01;
    private static final float NOOP_BIAS = -1;

    final int window;
    final int gpuCount;
    final int width;
    final float scale;
    final Perceptron jobs;
    final Perceptron gpus;
    final Perceptron globals;
    final Linear query;
    final Linear key;
    final Linear value;
    final Linear output;
    final LayerNorm firstNorm;
    final Linear projection;
    final LayerNorm secondNorm;
    final Linear head;
    final WeightLayout.Part noopBias;
    private final WeightLayout layout = new WeightLayout();

    AttentionNetwork(int window, int gpuCount, int width) {
        this.window = window;
        this.gpuCount = gpuCount;
        this.width = width;
        this.scale = (float) (1 / Math.sqrt(width));
        this.jobs = new Perceptron(layout, "job", true, PER_JOB, width, width);
        this.gpus = new Perceptron(layout, "gpu", true, 1, width, width);
        this.globals = new Perceptron(layout, "global", true, GLOBALS, width, width);
        this.query = Linear.withoutBias(layout, "query", width, width);
        this.key = Linear.withoutBias(layout, "key", width, width);
        this.value = Linear.withoutBias(layout, "value", width, width);
        this.output = Linear.withoutBias(layout, "output", width, width);
        this.firstNorm = new LayerNorm(layout, "norm.1", width);
        this.projection = Linear.withBias(layout, "projection", width, width);
        this.secondNorm = new LayerNorm(layout, "norm.2", width);
        this.head = Linear.withBias(layout, "head", width, 1);
        this.noopBias = layout.add("noop", 1, 1);
    }

    public static AttentionNetwork policy(int window, int gpus) {
        return new AttentionNetwork(window, gpus, HIDDEN);
    }

    @Override
    public WeightLayout layout() {
        return layout;
    }

    @Override
    public int observed() {
        return PER_JOB * window + gpuCount + GLOBALS;
    }

    @Override
    public int outputs() {
        return window + 1;
    }

    @Override
    public void initialise(float[] weights, SeededRandom random) {
        var initial = new InitialWeights(weights, random);
        initial.orthogonal(jobs, InitialWeights.RELU_GAIN);
        initial.orthogonal(gpus, InitialWeights.RELU_GAIN);
        initial.orthogonal(globals, InitialWeights.RELU_GAIN);
        initial.orthogonal(query, 1);
        initial.orthogonal(key, 1);
        initial.orthogonal(value, 1);
        initial.orthogonal(output, 1);
        firstNorm.initialise(weights);
        initial.orthogonal(projection, 1);
        secondNorm.initialise(weights);
        initial.orthogonal(head, HEAD_GAIN);
        weights[noopBias.at()] = NOOP_BIAS;
    }

    @Override
    public Pass pass() {
        return new AttentionPass(this);
    }
}
