package io.gpusched.operator.kube;

/// The way to an API server is described wrongly. The message names the file, the field and the
/// remedy, and never contains a secret.
public final class InvalidKubeConfig extends RuntimeException {
    public InvalidKubeConfig(String message) {
        super(message);
    }
}
