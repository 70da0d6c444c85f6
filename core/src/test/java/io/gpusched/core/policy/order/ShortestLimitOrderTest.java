package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class ShortestLimitOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void theShorterLimitGoesFirstAndJobsWithoutOneComeLast() {
        Job none = aJob().limit(Duration.ZERO).waiting(1, NOON);
        Job longer = aJob().limit(Duration.ofDays(365)).waiting(2, NOON);
        Job shorter = aJob().limit(Duration.ofDays(365).minusMillis(1)).waiting(3, NOON);
        assertThat(new ShortestLimitOrder()).puts(shorter).before(longer).puts(longer).before(none);
    }

    @Test
    void neitherSizeNorTimeOfSubmissionMatters() {
        Job late = aJob().gpus(8).waiting(3, NOON.plusSeconds(1000));
        Job early = aJob().gpus(1).waiting(4, NOON);
        assertThat(new ShortestLimitOrder()).ties(late, early);
    }
}
