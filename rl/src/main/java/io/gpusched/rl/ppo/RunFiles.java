package io.gpusched.rl.ppo;

import java.nio.file.Path;

/// The files of a training run.
///
/// @param log one line per update, as CSV
/// @param best the model with the best evaluation
/// @param last the model after the last update, with all that is needed to resume
public record RunFiles(Path log, Path best, Path last) {
    /// How the names of checkpoints end. The format is our own; see [CheckpointFile].
    public static final String EXTENSION = ".checkpoint";

    private static final String BEST = "_best" + EXTENSION;
    private static final String LAST = "_last" + EXTENSION;

    /// The files of a run in a folder: its log there, its checkpoints one folder below.
    public static RunFiles in(Path folder, String run) {
        Path checkpoints = folder.resolve("checkpoints");
        return new RunFiles(
                folder.resolve(run + ".csv"),
                checkpoints.resolve(run + BEST),
                checkpoints.resolve(run + LAST));
    }

    /// The files of the run that wrote a checkpoint for resuming.
    public static RunFiles ofLast(Path last) {
        String name = String.valueOf(last.getFileName());
        Path checkpoints = (last.getNameCount() > 2 ? last : last.toAbsolutePath()).getParent();
        Path folder = checkpoints == null ? null : checkpoints.getParent();
        if (!name.endsWith(LAST) || checkpoints == null || folder == null) {
            throw new BadCheckpoint(
                    last
                            + ": expected the file of a run whose name ends in "
                            + LAST
                            + "; only that one has all that is needed to resume");
        }
        String run = name.substring(0, name.length() - LAST.length());
        return new RunFiles(folder.resolve(run + ".csv"), checkpoints.resolve(run + BEST), last);
    }
}
