package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class ShortestPredictedOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final ShortestPredictedOrder order = new ShortestPredictedOrder();

    @Test
    void whatIsExpectedCountsBeforeTheLimit() {
        Job expected = aJob().limit(HOUR.multipliedBy(9)).expecting(HOUR, HOUR).waiting(1, NOON);
        Job limited = aJob().limit(HOUR.plusMillis(1)).waiting(2, NOON);
        Job same = aJob().limit(HOUR).waiting(3, NOON);
        assertThat(order).puts(expected).before(limited).ties(expected, same);
    }

    @Test
    void theUsualTimeCountsAndNotTheLongest() {
        Job sure = aJob().expecting(HOUR, HOUR).waiting(1, NOON);
        Job unsure = aJob().expecting(HOUR.minusMillis(1), HOUR.multipliedBy(5)).waiting(2, NOON);
        assertThat(order).puts(unsure).before(sure);
    }

    @Test
    void jobsOfWhichNothingIsKnownComeLast() {
        Job unknown = aJob().limit(Duration.ZERO).waiting(1, NOON);
        Job longest = aJob().limit(Duration.ofDays(3650)).waiting(2, NOON);
        assertThat(order).puts(longest).before(unknown);
    }

    @Test
    void theReservationGoesToTheOldestJob() {
        assertThat(order.reservesForOldest()).isTrue();
    }
}
