package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class LostWorkTest {
    private final LostWork lost = new LostWork(Duration.ofMinutes(30));
    private final TestCluster cluster = aCluster("n1: 8×A100");

    private long lostAfter(JobBuilder job, Duration time) {
        JobId id = cluster.running(job, "n1[0-1]");
        return lost.milliGpuSeconds(cluster.job(id), cluster.now().plus(time));
    }

    @Test
    void aJobThatSavesNothingLosesItsWholeRun() {
        assertThat(lostAfter(aJob().gpus(2), Duration.ofMinutes(61))).isEqualTo(2000 * 61 * 60);
    }

    @Test
    void aJobThatSavesItsWorkLosesWhatCameAfterTheLastCheckpoint() {
        assertThat(lostAfter(aJob().gpus(2).saving(), Duration.ofMinutes(61))).isEqualTo(2000 * 60);
    }

    @Test
    void aJobThatJustSavedLosesNothing() {
        assertThat(lostAfter(aJob().gpus(2).saving(), Duration.ofMinutes(60))).isZero();
    }

    @Test
    void aJobThatDoesNotRunLosesNothing() {
        JobId waiting = cluster.waiting(aJob().gpus(2));
        assertThat(lost.milliGpuSeconds(cluster.job(waiting), cluster.now())).isZero();
    }
}
