package io.gpusched.rl.ppo;

/// Thrown when a loss or a gradient is not a finite number. Training cannot go on from there.
public final class TrainingDiverged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TrainingDiverged(String message) {
        super(message);
    }
}
