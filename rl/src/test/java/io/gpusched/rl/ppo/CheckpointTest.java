package io.gpusched.rl.ppo;

import static io.gpusched.rl.ppo.TestSettings.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

final class CheckpointTest {
    private static final TrainingPlan PLAN = TestSettings.plan(settings().make(), 4);

    @TempDir private Path folder;
    private Path file = Path.of("");
    private byte[] bytes = {};

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("model");
        var state = new Checkpoint.RunState();
        state.add(3, new int[] {1, 2, 0});
        state.add(4, new int[] {});
        var progress = new Checkpoint.Progress(7, 6, 0.25);
        CheckpointFile.write(file, Checkpoint.initial(PLAN).at(progress, state));
        bytes = Files.readAllBytes(file);
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Checkpoint read = CheckpointFile.read(file);
        Checkpoint initial = Checkpoint.initial(PLAN);
        assertThat(read.plan()).isEqualTo(PLAN);
        assertThat(read.progress()).isEqualTo(new Checkpoint.Progress(7, 6, 0.25));
        assertThat(read.policy().weights()).isEqualTo(initial.policy().weights());
        assertThat(read.value().weights()).isEqualTo(initial.value().weights());
        assertThat(read.policy().optimiser().means()).hasSameSizeAs(read.policy().weights());
        CheckpointFile.write(file, read);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void aCheckpointForUseIsAThirdOfTheSize() throws IOException {
        CheckpointFile.write(file, CheckpointFile.read(file).forUse());
        assertThat(Files.size(file)).isLessThan(bytes.length / 2);
        assertThat(CheckpointFile.read(file).state()).isNull();
    }

    @Test
    void aTruncatedCheckpointIsRefused() {
        for (int length = 0; length < bytes.length; length += 1 + length / 3) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> CheckpointFile.parse("model", part))
                    .isInstanceOf(BadCheckpoint.class);
        }
        assertThatThrownBy(
                        () -> CheckpointFile.parse("model", Arrays.copyOf(bytes, bytes.length - 1)))
                .hasMessage(
                        "model: the checkpoint is truncated: expected %d bytes, found %d",
                        bytes.length, bytes.length - 1);
        assertThatThrownBy(
                        () -> CheckpointFile.parse("model", Arrays.copyOf(bytes, bytes.length + 1)))
                .hasMessageContaining("too long");
    }

    @Test
    void aDamagedCheckpointIsRefused() {
        for (int at = 0; at < bytes.length; at += 1 + at / 3) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 4;
            assertThatThrownBy(() -> CheckpointFile.parse("model", damaged))
                    .as("byte %s", at)
                    .isInstanceOf(BadCheckpoint.class);
        }
        byte[] damaged = bytes.clone();
        damaged[bytes.length / 2] ^= 1;
        assertThatThrownBy(() -> CheckpointFile.parse("model", damaged))
                .hasMessageContaining("SHA-256 does not match");
    }

    @Test
    void anotherVersionIsRefusedWithBoth() {
        byte[] later = bytes.clone();
        later[11] = 9;
        assertThatThrownBy(() -> CheckpointFile.parse("model", later))
                .hasMessage("model: expected checkpoint version 1, found 9");
    }

    @Test
    void anotherFileIsRefused() {
        assertThatThrownBy(() -> CheckpointFile.parse("model", new byte[40]))
                .hasMessage("model: not a checkpoint of this program");
    }

    @Test
    void anotherShapeIsRefusedWithBoth() throws IOException {
        Checkpoint read = CheckpointFile.read(file);
        assertThat(read.requireShape(IdentityEnvironment.SHAPE)).isSameAs(read);
        var other = ModelShape.of(Architecture.ATTN, "cdf", 50, 8);
        assertThatThrownBy(() -> read.requireShape(other))
                .isInstanceOf(BadCheckpoint.class)
                .hasMessageContaining(
                        "expected architecture attn, encoder observation-1, look-ahead cdf,"
                                + " window 50, GPUs 8")
                .hasMessageContaining(
                        "found architecture mlp, encoder observation-1, look-ahead off,"
                                + " window 3, GPUs 2");
    }

    @Test
    void anEncoderOfAnotherVersionIsRefused() throws IOException {
        var shape = new ModelShape(Architecture.SCORE, "queue-0", "off", 3, 2);
        var plan =
                new TrainingPlan("test", PLAN.settings(), shape, "", 256, 1, 1, 1, 1, 1, true, 500);
        CheckpointFile.write(file, Checkpoint.initial(plan));
        assertThatThrownBy(() -> CheckpointFile.read(file))
                .isInstanceOf(BadCheckpoint.class)
                .hasMessageContaining("expected architecture score, encoder queue-2")
                .hasMessageContaining("found architecture score, encoder queue-0");
    }
}
