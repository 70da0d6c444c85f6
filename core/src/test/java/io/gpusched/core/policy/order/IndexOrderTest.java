package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class IndexOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void whatFillsTheClusterGoesFirstAndThenWhatIsShort() {
        Job large = job(1, 8, Duration.ofHours(10));
        Job small = job(2, 1, Duration.ofMinutes(10));
        Job shorter = job(3, 8, Duration.ofHours(5));
        assertThat(new IndexOrder()).puts(large).before(small).puts(shorter).before(large);
    }

    @Test
    void twiceTheGpusAreWorthSixteenTimesTheTime() {
        assertThat(new IndexOrder())
                .ties(job(1, 1, Duration.ofHours(1)), job(2, 2, Duration.ofHours(16)));
    }

    private static Job job(long number, int gpus, Duration limit) {
        return aJob().gpus(gpus).limit(limit).waiting(number, NOON);
    }
}
