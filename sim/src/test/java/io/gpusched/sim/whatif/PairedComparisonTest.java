package io.gpusched.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;

import org.junit.jupiter.api.Test;

import java.time.Instant;

/// Each job is compared with itself.
final class PairedComparisonTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
    private static final JobId JOB = new JobId(1);

    private final PairedComparison paired = new PairedComparison();

    private static Instant at(long seconds) {
        return NOON.plusSeconds(seconds);
    }

    private static Event running(JobId job, long seconds) {
        return new Event.AttemptRunning(at(seconds), new AttemptId(job, 1, 1));
    }

    private static Event ended(JobId job, long seconds) {
        var outcome = new Outcome(Outcome.Result.COMPLETED, 0, "");
        return new Event.JobEnded(at(seconds), job, outcome);
    }

    @Test
    void aJobThatNeitherSideHasEndedSaysNothing() {
        paired.submitted(JOB);
        assertThat(paired.differences(at(60)).waiting().jobs()).isZero();
        assertThat(paired.differences(at(60)).completion().jobs()).isZero();
    }

    @Test
    void differencesAreShadowMinusLive() {
        paired.submitted(JOB);
        paired.recorded(running(JOB, 100));
        paired.recorded(ended(JOB, 150));
        paired.otherwise(running(JOB, 40));
        paired.otherwise(ended(JOB, 90));

        PairedDifferences differences = paired.differences(at(200));

        assertThat(differences.completion().jobs()).isEqualTo(1);
        assertThat(differences.completion().mean()).isEqualTo(-60);
        assertThat(differences.slowdown().mean()).isEqualTo(-60 / 50.0);
    }

    @Test
    void aShortRunCountsAsTenSecondsInASlowdown() {
        paired.submitted(JOB);
        paired.recorded(running(JOB, 1));
        paired.recorded(ended(JOB, 2));
        paired.otherwise(running(JOB, 21));
        paired.otherwise(ended(JOB, 22));

        assertThat(paired.differences(at(30)).slowdown().mean()).isEqualTo(2);
    }

    @Test
    void aJobThatIsOpenOnOneSideCountsWithItsTimeSoFar() {
        paired.submitted(JOB);
        paired.recorded(running(JOB, 10));
        paired.recorded(ended(JOB, 20));

        assertThat(paired.differences(at(120)).completion().mean()).isEqualTo(100);
        assertThat(paired.differences(at(220)).completion().mean()).isEqualTo(200);

        paired.otherwise(ended(JOB, 240));
        assertThat(paired.differences(at(999)).completion().mean()).isEqualTo(220);
        assertThat(paired.differences(at(999)).completion().jobs()).isEqualTo(1);
    }

    @Test
    void aJobCancelledInTheQueueHasWaitedUntilThen() {
        paired.submitted(JOB);
        paired.recorded(ended(JOB, 50));
        paired.otherwise(ended(JOB, 50));

        assertThat(paired.differences(at(60)).waiting())
                .isEqualTo(new MeanInterval(1, 0, Double.NaN, Double.NaN));
        assertThat(paired.differences(at(60)).slowdown().jobs()).as("it never ran").isZero();
    }

    @Test
    void aClearDifferenceOverManyJobsIsDecided() {
        for (int i = 1; i <= 200; i++) {
            var job = new JobId(i);
            paired.submitted(job);
            paired.recorded(ended(job, 100L + i));
            paired.otherwise(ended(job, 80L + i + i % 7));
        }
        MeanInterval interval = paired.differences(at(1000)).completion();
        assertThat(interval.jobs()).isEqualTo(200);
        assertThat(interval.verdict()).isEqualTo(ShadowVerdict.BETTER);
    }
}
