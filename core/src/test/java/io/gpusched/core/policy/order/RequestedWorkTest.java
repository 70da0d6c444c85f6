package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class RequestedWorkTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void coresCountForAJobWithoutGpus() {
        assertThat(RequestedWork.processors(aJob().gpus(2).tasks(3).waiting(1, NOON))).isEqualTo(6);
        assertThat(RequestedWork.processors(aJob().gpus(0).cores(4).waiting(1, NOON))).isEqualTo(4);
    }

    @Test
    void theLimitIsTheLengthThenWhatIsExpectedThenADay() {
        Duration hour = Duration.ofHours(1);
        var job = aJob().expecting(hour, hour.multipliedBy(2));
        assertThat(RequestedWork.seconds(job.limit(Duration.ofMinutes(5)).waiting(1, NOON)))
                .isEqualTo(300);
        assertThat(RequestedWork.seconds(job.limit(Duration.ZERO).waiting(1, NOON)))
                .isEqualTo(3600);
        assertThat(RequestedWork.seconds(aJob().limit(Duration.ZERO).waiting(1, NOON)))
                .isEqualTo(86_400);
    }

    @Test
    void keysKeepTheOrderOfScores() {
        double[] scores = {-1e300, -2, -1, -1e-300, 0, 1e-300, 1, 2, 1e300};
        for (int i = 1; i < scores.length; i++) {
            assertThat(RequestedWork.key(scores[i - 1])).isLessThan(RequestedWork.key(scores[i]));
        }
        assertThat(RequestedWork.key(-0.0)).isEqualTo(RequestedWork.key(0.0));
    }
}
