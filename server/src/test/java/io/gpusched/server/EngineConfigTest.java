package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.wire.codec.SettingsText;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

            var engineConfig = EngineConfig.load(config);
            var read = Objects.requireNonNull(SettingsText.read(engineConfig.fingerprint()));
            assertThat(read.settings().predictionSettings()).as(policy).isEqualTo(set);
            assertThat(engineConfig.settings().predictionSettings()).as(policy).isEqualTo(set);
        }
    }

    @Test
    void theShippedModelOrdersTheQueueUnlessAnotherIsConfigured() throws IOException {
        ScoreModel shipped = ShippedModel.read();
        EngineConfig usual = config("scheduler:\n  policy: learned\n");
        assertThat(usual.model()).isEqualTo(shipped);
        assertThat(Objects.requireNonNull(usual.policy().ranking()).model())
                .isEqualTo(shipped.name());

        float[] weights = shipped.weights();
        weights[0]++;
        var own = new ScoreModel(shipped.encoder(), shipped.sizes(), weights);
        Path file = folder.resolve("own.model");
        ModelFile.write(file, own);
        EngineConfig other = config("scheduler:\n  learned.model: " + file + "\n");
        assertThat(other.model()).isEqualTo(own);
        assertThat(other.fingerprint()).contains(own.name()).isNotEqualTo(usual.fingerprint());
    }

    @Test
    void aModelThatCannotBeUsedStopsTheStartAndIsNamed() throws IOException {
        Path file = folder.resolve("cut.model");
        Files.write(file, Arrays.copyOf(ModelFile.bytes(ShippedModel.read()), 100));
        assertThatThrownBy(() -> config("scheduler:\n  learned.model: " + file + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("scheduler.learned.model: " + file + ": expected ")
                .hasMessageContaining("found 100")
                .hasMessageEndingWith("Leave it empty to use the shipped model");
    }

    @Test
    void aModelForBatchLogsStopsTheStart() throws IOException {
        ScoreModel shipped = ShippedModel.read();
        Path file = folder.resolve("batch.model");
        ModelFile.write(
                file,
                new ScoreModel(shipped.encoder() + "-batch", shipped.sizes(), shipped.weights()));
        assertThatThrownBy(() -> config("scheduler:\n  learned.model: " + file + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("encoder heads-1-batch with 30 features")
                .hasMessageContaining("this program has encoder heads-1 with 30");
    }

    private EngineConfig config(String text) throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, text);
        return EngineConfig.load(
                ConfigReader.read(Arguments.of("--config", file.toString()), Map.of()));
    }
}
