package io.gpusched.operator.jobs;

/// A job that cannot become a pod, whatever the cluster does. The message names the field and what
/// to do.
final class UnusableJob extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableJob(String message) {
        super(message);
    }
}
