package io.gpusched.operator.scheduler;

/// A job as the scheduler tells it.
///
/// @param state `pending`, `scheduled`, `running`, `completed`, `failed`, `preempted`, `cancelled`;
///        empty for a job that the scheduler does not know
/// @param why why it waits or ended, in one sentence; may be empty
/// @param attachment what the job was submitted with; only in a list
public record JobState(String job, String state, String why, String attachment) {
    /// Whether it waits in the queue.
    public boolean waits() {
        return state.equals("pending") || state.equals("preempted");
    }

    /// Whether it will not run any more.
    public boolean isOver() {
        return state.equals("completed")
                || state.equals("failed")
                || state.equals("cancelled")
                || state.isEmpty();
    }
}
