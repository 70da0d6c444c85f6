package io.gpusched.rl.ppo;

import java.nio.file.Path;

/// The files of a training run.
///
/// @param log one line per update, as CSV
/// @param best the model with the best evaluation
/// @param last the model after the last update, with all that is needed to resume
public record RunFiles(Path log, Path best, Path last) {
    /// The files of a run in a folder: its log there, its checkpoints one folder below.
    public static RunFiles in(Path folder, String run) {
        Path checkpoints = folder.resolve("checkpoints");
        return new RunFiles(
                folder.resolve(run + ".csv"),
                checkpoints.resolve(run + "_best.pt"),
                checkpoints.resolve(run + "_last.pt"));
    }
}
