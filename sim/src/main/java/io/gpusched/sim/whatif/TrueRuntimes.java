package io.gpusched.sim.whatif;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;

import java.time.Duration;

/// How long jobs truly run, as far as the record says.
public interface TrueRuntimes {
    /// @param gpu the model it runs on; empty where it has none
    TrueRuntime of(Job job, String gpu);

    /// From being placed to running.
    Duration toStart(JobId job);

    /// From being told to stop to having stopped.
    Duration toStop();
}
