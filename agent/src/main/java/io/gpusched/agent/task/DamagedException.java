package io.gpusched.agent.task;

/// Thrown when a file of a task is not what the agent or the shim wrote there, so that none of the
/// task's records can be trusted. Jobs run as the agent's user and can do this by accident.
///
/// Temporary errors, such as a full disk or too many open files, are never reported this way.
final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
        super(message);
    }
}
