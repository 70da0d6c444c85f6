package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class UnicepOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final UnicepOrder order = new UnicepOrder(NOON.plus(HOUR));

    private static Job job(long number, int gpus, Duration limit, Instant submitted) {
        return aJob().gpus(gpus).limit(limit).waiting(number, submitted);
    }

    @Test
    void narrowJobsOfOneLengthGoFirst() {
        Job one = job(3, 1, HOUR, NOON);
        Job two = job(2, 2, HOUR, NOON);
        Job eight = job(1, 8, HOUR, NOON);
        assertThat(order).puts(one).before(two).puts(two).before(eight);
    }

    @Test
    void shortJobsOfOneWidthGoFirst() {
        assertThat(order).puts(job(2, 4, HOUR, NOON)).before(job(1, 4, HOUR.multipliedBy(2), NOON));
    }

    @Test
    void aNarrowJobPassesAWideOneWhenItHasWaitedLongerForItsWidth() {
        Job narrow = job(1, 2, HOUR, NOON.plus(HOUR));
        Job wide = job(2, 4, HOUR, NOON);
        // 59 minutes against 119 for twice the width; later 61 against 121.
        assertThat(order)
                .at(NOON.plus(HOUR).plus(Duration.ofMinutes(59)))
                .puts(wide)
                .before(narrow)
                .at(NOON.plus(HOUR).plus(Duration.ofMinutes(61)))
                .puts(narrow)
                .before(wide);
    }

    @Test
    void aJobThatHasNotWaitedIsNotPreferred() {
        assertThat(order)
                .ties(job(1, 1, HOUR, NOON.plus(HOUR)), job(2, 8, HOUR, NOON.plus(HOUR)))
                .ties(job(1, 1, HOUR, NOON.plus(HOUR)), job(2, 1, HOUR, NOON.plusSeconds(9999)));
    }
}
