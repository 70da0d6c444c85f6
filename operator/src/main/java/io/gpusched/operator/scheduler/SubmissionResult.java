package io.gpusched.operator.scheduler;

/// What the scheduler said to a submission.
public sealed interface SubmissionResult {
    /// The job exists. The same key again gives the same job.
    record Accepted(String job) implements SubmissionResult {}

    /// Another job was submitted with this key.
    record KeyTaken() implements SubmissionResult {}

    /// The job is wrong, and stays so.
    ///
    /// @param why what was expected and what to do
    record Refused(String why) implements SubmissionResult {}
}
