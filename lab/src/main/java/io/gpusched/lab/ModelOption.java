package io.gpusched.lab;

import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.sim.scenario.ScenarioDurations;
import io.gpusched.wire.model.BadModelFile;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;

/// The options of commands that run policies in which a model orders the queue.
final class ModelOption {
    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = {
                "Model that orders the queue under the policies learned and learned-mixed:",
                "a file, or shipped (default shipped)."
            })
    private @Nullable String model;

    @Option(
            names = "--starvation-bound",
            paramLabel = "TIME",
            description = {
                "Under these policies a job that has waited this long goes before all jobs",
                "that the model ranks, such as 12h (default 24h)."
            })
    private @Nullable String bound;

    boolean isGiven() {
        return model != null || bound != null;
    }

    /// The settings with what was given.
    LearnedSettings over(LearnedSettings otherwise) {
        Duration given = bound == null ? otherwise.starvationBound() : time(bound);
        return new LearnedSettings(model == null ? otherwise.model() : read(model), given);
    }

    private static Duration time(String text) {
        Duration time = ScenarioDurations.parse(text);
        if (time == null) {
            throw new UserError(
                    "--starvation-bound: expected a time such as 12h or 1d, found " + text);
        }
        return time;
    }

    private static RankingModel read(String file) {
        try {
            return file.equals(ShippedModel.NAME)
                    ? ShippedModel.read()
                    : ModelFile.read(Path.of(file));
        } catch (BadModelFile bad) {
            throw new UserError("--model: " + bad.getMessage());
        }
    }
}
