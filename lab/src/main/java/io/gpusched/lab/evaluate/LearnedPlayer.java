package io.gpusched.lab.evaluate;

import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.ppo.BadCheckpoint;
import io.gpusched.rl.ppo.Checkpoint;
import io.gpusched.rl.ppo.CheckpointFile;
import io.gpusched.rl.ppo.ModelShape;
import io.gpusched.rl.ppo.NetworkPolicy;
import io.gpusched.rl.ppo.ShippedCheckpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The player of a checkpoint, and where the checkpoint comes from.
public final class LearnedPlayer {
    /// What tables call it.
    public static final String NAME = "LEARNED";

    private static final int DIGEST_DIGITS = 12;

    private final String name;
    private final Checkpoint checkpoint;
    private final String digest;

    private LearnedPlayer(String name, byte[] bytes) {
        this.name = name;
        this.checkpoint = CheckpointFile.parse(name, bytes);
        this.digest = CheckpointFile.digest(bytes);
    }

    /// @param file the name of a file, or `shipped` for the checkpoint that comes with the program
    public static LearnedPlayer of(String file) throws IOException {
        return new LearnedPlayer(
                file,
                file.equals(ShippedCheckpoint.NAME)
                        ? ShippedCheckpoint.bytes()
                        : Files.readAllBytes(Path.of(file)));
    }

    /// The look-ahead mode that the model was trained with.
    public String lookahead() {
        return checkpoint.shape().lookahead();
    }

    /// Refuses an environment that the model was not made for.
    public void require(EnvironmentSettings settings) {
        ModelShape found = checkpoint.shape();
        ModelShape expected =
                ModelShape.of(
                        found.architecture(),
                        settings.lookahead().toString(),
                        settings.window(),
                        settings.gpus());
        if (!found.equals(expected)) {
            throw new BadCheckpoint(
                    "%s: the checkpoint has another shape: expected %s; found %s; use --num-gpus %d"
                                    .formatted(name, expected, found, found.gpus())
                            + " --max-queue-size %d --lookahead-mode %s"
                                    .formatted(found.window(), found.lookahead()));
        }
    }

    /// A player for one thread.
    public NetworkPolicy player() {
        return checkpoint.player(NAME);
    }

    /// What the checkpoint is and how it was trained.
    public String describe() {
        return "%s (%s; preset %s, training seed %d, update %d; SHA-256 %s)"
                .formatted(
                        Path.of(name).getFileName(),
                        checkpoint.shape(),
                        checkpoint.plan().preset(),
                        checkpoint.plan().seed(),
                        checkpoint.progress().update(),
                        digest.substring(0, DIGEST_DIGITS));
    }
}
