package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.wire.codec.SettingsText;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

final class EngineConfigTest {
    @TempDir Path folder;

    /// A what-if about another policy needs the prediction settings, even if the policy in force
    /// does not.
    @Test
    void thePredictionSettingsAreRecordedUnderEveryPolicy() throws IOException {
        for (String policy : List.of("spf", "spf-skip", "srtf", "fifo")) {
            Path file = folder.resolve(policy + ".yaml");
            Files.writeString(file, "scheduler:\n  policy: " + policy + "\n");
            Config config = ConfigReader.read(Arguments.of("--config", file.toString()), Map.of());
            PredictionSettings set = config.learning().predictionSettings();

            var engineConfig = new EngineConfig(config, LoadedPlugins.NONE);
            var read = Objects.requireNonNull(SettingsText.read(engineConfig.fingerprint()));
            assertThat(read.settings().predictionSettings()).as(policy).isEqualTo(set);
            assertThat(engineConfig.settings().predictionSettings()).as(policy).isEqualTo(set);
        }
    }
}
