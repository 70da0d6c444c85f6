package io.gpusched.core.model;

/// How a task ended.
///
/// @param code the exit code, or 128 + the signal's number, or -1 where there is none
public record Exit(How how, int code, String detail) {
    public enum How {
        /// By itself, with a code.
        EXITED,
        /// By a signal nobody here sent.
        SIGNALLED,
        /// Because it was told to stop.
        STOPPED,
        /// Because its time limit was over.
        TIMEOUT,
        /// Nobody knows: its node was lost, or its agent no longer has it.
        LOST,
        /// It never started: the node could not prepare or start it.
        REFUSED
    }

    public boolean success() {
        return how == How.EXITED && code == 0;
    }
}
