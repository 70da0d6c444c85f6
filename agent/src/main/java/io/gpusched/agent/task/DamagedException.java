package io.gpusched.agent.task;

/// A file of a task is not what the agent or the shim wrote there, so nothing of the task's records
/// can be believed any more. Jobs run as the agent's own user and can do this by accident.
///
/// Trouble that may pass, such as a full disk or too many open files, is never reported this way.
final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
        super(message);
    }
}
