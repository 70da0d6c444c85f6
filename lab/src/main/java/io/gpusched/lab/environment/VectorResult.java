package io.gpusched.lab.environment;

import io.gpusched.rl.VectorEnvironment;

/// A copy of what a step of many environments gave, taken before the ended episodes are followed by
/// new ones.
final class VectorResult {
    private final float[] observations;
    private final double[] rewards;
    private final double[] terminals;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final boolean[] invalid;

    VectorResult(VectorEnvironment all) {
        this.observations = all.observations().clone();
        this.rewards = all.rewards().clone();
        this.terminals = all.terminals().clone();
        this.terminated = all.terminated().clone();
        this.truncated = all.truncated().clone();
        this.invalid = all.invalid().clone();
    }

    float[] observations() {
        return observations;
    }

    double[] rewards() {
        return rewards;
    }

    double[] terminals() {
        return terminals;
    }

    boolean[] terminated() {
        return terminated;
    }

    boolean[] truncated() {
        return truncated;
    }

    boolean[] invalid() {
        return invalid;
    }
}
