package io.gpusched.core.model;

/// One run of a job: the job, which run of it (from 1), and the term of the scheduler that started
/// it. A late message about run 1 can therefore never end run 2.
public record AttemptId(JobId job, int number, long term) {
    @Override
    public String toString() {
        return job + "." + number + "@" + term;
    }
}
