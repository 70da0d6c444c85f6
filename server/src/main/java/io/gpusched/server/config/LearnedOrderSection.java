package io.gpusched.server.config;

import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.wire.model.BadModelFile;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Settings of the policies in which a model orders the queue.
///
/// @param model the model file; empty for the model that ships with the project
/// @param starvationBound how long the model may keep a job waiting
public record LearnedOrderSection(String model, Duration starvationBound) {
    static final Setting<String> MODEL =
            Setting.text(
                    "scheduler.learned.model",
                    "",
                    "File of the model that orders the queue under the policies learned and"
                            + " learned-mixed; the shipped model when empty.");
    static final Setting<Long> STARVATION_BOUND =
            Setting.count(
                    "scheduler.learned.starvation_bound_minutes",
                    LearnedSettings.USUAL_BOUND.toMinutes(),
                    1,
                    365 * 24 * 60,
                    "minutes",
                    "A job that has waited this long goes before all jobs that the model ranks.");
    static final List<Setting<?>> KEYS = List.of(MODEL, STARVATION_BOUND);

    static LearnedOrderSection from(SettingValues settingValues) {
        return new LearnedOrderSection(
                settingValues.of(MODEL), Duration.ofMinutes(settingValues.of(STARVATION_BOUND)));
    }

    /// Loads the model. Throws a [ConfigException] if it cannot be used.
    public ScoreModel load() {
        if (model.isEmpty()) {
            return ShippedModel.read();
        }
        try {
            return ModelFile.read(Path.of(model));
        } catch (BadModelFile bad) {
            throw new ConfigException(
                    MODEL.path()
                            + ": "
                            + bad.getMessage()
                            + ". Leave it empty to use the shipped model",
                    bad);
        }
    }

    public LearnedSettings settings(ScoreModel loaded) {
        return new LearnedSettings(loaded, starvationBound);
    }
}
