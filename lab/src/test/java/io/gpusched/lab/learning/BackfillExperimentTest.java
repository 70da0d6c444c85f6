package io.gpusched.lab.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.lab.runtimes.PastJob;

import org.junit.jupiter.api.Test;

import java.util.List;

final class BackfillExperimentTest {
    /// One node and two jobs of an hour that each take all of it: one waits, one does not, and the
    /// smallest wait that half of them do not exceed is none.
    @Test
    void quantilesOfWaitsAreByNearestRank() {
        var job = new PastJob(0, 3600, 8, "vc");
        BackfillExperiment run =
                BackfillExperiment.run(
                        new PhillyJobs(List.of(job, job), 1),
                        new BackfillExperiment.Variant("fifo", "fifo", PredictionSettings.NONE, 0));
        assertThat(run.meanWait()).isEqualTo(1800);
        assertThat(run.waitQuantile(0.5)).isZero();
        assertThat(run.waitQuantile(0.99)).isEqualTo(3600);
    }
}
