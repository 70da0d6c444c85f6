package io.gpusched.wire.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

final class ModelFileTest {
    @TempDir Path folder;

    private static ScoreModel model(String encoder, int... sizes) {
        var random = new Random(7);
        var weights = new float[ScoreModel.weightsOf(sizes)];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) random.nextGaussian();
        }
        return new ScoreModel(encoder, sizes, weights);
    }

    private static ScoreModel usable() {
        return model(HeadEncoder.VERSION, HeadEncoder.FEATURES, 32, 32, 1);
    }

    @Test
    void aModelComesBackEqual() throws IOException {
        Path file = folder.resolve("best.model");
        ModelFile.write(file, usable());
        assertThat(ModelFile.read(file)).isEqualTo(usable());
        assertThat(ModelFile.read(file).name()).isEqualTo(usable().name());
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aFileThatWasCutOffAnywhereIsRefused() {
        byte[] whole = ModelFile.bytes(usable());
        for (int length = 0; length < whole.length; length += 13) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ModelFile.parse("m", cut)).isInstanceOf(BadModelFile.class);
        }
        assertThatThrownBy(() -> ModelFile.parse("m", Arrays.copyOf(whole, 1000)))
                .hasMessage(
                        "m: expected %s bytes, found 1000; the file was cut off or changed",
                        whole.length);
    }

    @Test
    void aFileWithAnyByteChangedIsRefused() {
        byte[] whole = ModelFile.bytes(usable());
        for (int at = 0; at < whole.length; at += 7) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> ModelFile.parse("m", changed))
                    .as("byte %s", at)
                    .isInstanceOf(BadModelFile.class);
        }
    }

    @Test
    void aModelOfAnotherEncoderOrShapeIsRefusedWithBothShapes() {
        byte[] other = ModelFile.bytes(model("heads-0", HeadEncoder.FEATURES, 8, 1));
        assertThatThrownBy(() -> ModelFile.parse("m", other))
                .isInstanceOf(BadModelFile.class)
                .hasMessage(
                        "m: the model was trained for encoder heads-0 with %d features, and this"
                            + " program has encoder %s with %d; its layers are [%d, 8, 1]. Train it"
                            + " again with this release, on the workload that it is used for: batch"
                            + " logs and clusters need different models",
                        HeadEncoder.FEATURES,
                        HeadEncoder.VERSION,
                        HeadEncoder.FEATURES,
                        HeadEncoder.FEATURES);
        byte[] wider = ModelFile.bytes(model(HeadEncoder.VERSION, HeadEncoder.FEATURES + 1, 1));
        assertThatThrownBy(() -> ModelFile.parse("m", wider))
                .hasMessageContaining("with %d features", HeadEncoder.FEATURES + 1);
    }

    @Test
    void aFileOfAnotherVersionSaysSo() {
        byte[] newer = ModelFile.bytes(usable());
        newer[11] = 2;
        assertThatThrownBy(() -> ModelFile.parse("m", newer))
                .hasMessage("m: expected version 1 of the format, found 2");
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("none.model");
        assertThatThrownBy(() -> ModelFile.read(missing))
                .isInstanceOf(BadModelFile.class)
                .hasMessage(missing + ": there is no such file");
    }

    @Test
    void theShippedModelCanBeUsedAndIsSmall() {
        ScoreModel shipped = ShippedModel.read();
        assertThat(shipped.mismatch()).isNull();
        assertThat(ModelFile.bytes(shipped).length).isLessThanOrEqualTo(ModelFile.MOST_BYTES);
    }

    @Test
    void theShippedModelIsOneForTheEncoderOfTheScheduler() {
        ScoreModel shipped = ShippedModel.read();
        assertThat(shipped.encoder()).isEqualTo(HeadEncoder.VERSION);
        assertThat(shipped.sizes()[0]).isEqualTo(HeadEncoder.FEATURES);
        for (float weight : shipped.weights()) {
            assertThat(weight).isFinite();
        }
    }
}
