package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentParameters;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that set up the reinforcement-learning environment.
final class EnvironmentOptions {
    @Mixin private WorkloadOptions workload = new WorkloadOptions();

    @Option(
            names = "--lookahead-mode",
            paramLabel = "MODE",
            description =
                    "How an observation shows when GPUs become free: off, per_gpu, sorted or cdf"
                            + " (default per_gpu).")
    private @Nullable String lookahead;

    /// Throws [UserError] for a value that cannot be used.
    EnvironmentParameters parameters() {
        return parameters(EnvironmentParameters.USUAL.lookaheadMode());
    }

    /// The same with this look-ahead mode if none was given.
    EnvironmentParameters parameters(String unlessGiven) {
        return workload.parameters(lookahead == null ? unlessGiven : lookahead);
    }
}
