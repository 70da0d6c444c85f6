package io.gpusched.sim.whatif;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import java.time.Duration;

/// The true runtimes of jobs, as far as the journal tells.
public interface TrueRuntimes {
    /// @param gpu the model it runs on; empty where it has none
    TrueRuntime of(Job job, String gpu);

    /// The time from placement to running.
    Duration toStart(JobId job);

    /// The time from the stop request to the end.
    Duration toStop();
}
