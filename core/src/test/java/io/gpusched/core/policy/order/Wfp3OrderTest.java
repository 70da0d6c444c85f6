package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class Wfp3OrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final Wfp3Order order = new Wfp3Order(Instant.EPOCH);

    private static Job job(long number, int gpus, Duration limit, Instant submitted) {
        return aJob().gpus(gpus).limit(limit).waiting(number, submitted);
    }

    @Test
    void aJobPassesAnotherWhenItHasWaitedLongForItsLength() {
        Job longer = job(1, 1, HOUR.multipliedBy(10), NOON);
        Job shorter = job(2, 1, Duration.ofMinutes(10), NOON.plus(HOUR));
        assertThat(order)
                .at(NOON.plus(Duration.ofMinutes(61)))
                .puts(longer)
                .before(shorter)
                .at(NOON.plus(Duration.ofMinutes(90)))
                .puts(shorter)
                .before(longer);
    }

    @Test
    void eightGpusAgeAsFastAsOneInTwiceTheTime() {
        Job one = job(1, 1, HOUR, NOON);
        Job eight = job(2, 8, HOUR, NOON.plus(HOUR.dividedBy(2)));
        assertThat(order).at(NOON.plus(HOUR)).ties(one, eight);
    }

    @Test
    void beforeItIsAskedForATimeAllJobsTie() {
        assertThat(order).ties(job(1, 1, HOUR, NOON), job(2, 8, HOUR, NOON.plus(HOUR)));
    }
}
