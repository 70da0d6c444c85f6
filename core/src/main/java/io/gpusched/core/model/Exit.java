package io.gpusched.core.model;

import java.time.Duration;

/// How a task ended.
///
/// @param code the exit code, or 128 + the signal's number, or -1 where there is none
/// @param ran how long it ran, as its node measured it; zero where it was not measured
public record Exit(How how, int code, String detail, Duration ran) {
    /// The task exited by itself with code 0.
    public static final Exit SUCCESS = new Exit(How.EXITED, 0, "");

    /// The scheduler stopped the task, and the stop signal ended it.
    public static final Exit STOPPED = new Exit(How.STOPPED, 143, "");

    public Exit(How how, int code, String detail) {
        this(how, code, detail, Duration.ZERO);
    }

    public enum How {
        /// By itself, with an exit code.
        EXITED,
        /// By a signal that the agent did not send.
        SIGNALLED,
        /// Because the scheduler stopped it.
        STOPPED,
        /// Because it exceeded its time limit.
        TIMEOUT,
        /// Unknown: its node was lost, or its agent no longer has it.
        LOST,
        /// It never started: the node could not prepare or start it.
        REFUSED,
        /// It never started, and neither the node nor the job is to blame: another system was
        /// faster, or withdrew it.
        WITHDRAWN
    }

    public boolean success() {
        return how == How.EXITED && code == 0;
    }
}
