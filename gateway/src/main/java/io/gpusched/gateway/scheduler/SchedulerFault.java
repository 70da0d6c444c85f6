package io.gpusched.gateway.scheduler;

/// The scheduler could not be reached, or did not answer as expected.
public final class SchedulerFault extends Exception {
    private final int status;

    /// @param status of the answer; 0 when there was none
    SchedulerFault(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /// The status of the answer; 0 when there was none.
    public int status() {
        return status;
    }
}
