package io.gpusched.rl.ppo;

/// Thrown when a file is not a checkpoint that can be used. Nothing of it has been loaded.
public final class BadCheckpoint extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadCheckpoint(String message) {
        super(message);
    }
}
