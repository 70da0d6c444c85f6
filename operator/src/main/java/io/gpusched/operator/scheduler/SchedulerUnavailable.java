package io.gpusched.operator.scheduler;

/// The scheduler gave no answer, or could not act now. The same request may succeed later.
public final class SchedulerUnavailable extends RuntimeException {
    public SchedulerUnavailable(String message) {
        super(message);
    }
}
