package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class F1OrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final F1Order order = new F1Order(NOON);

    @Test
    void smallAndEarlyJobsGoFirst() {
        Job small = aJob().gpus(1).waiting(3, NOON.plusSeconds(1000));
        Job large = aJob().gpus(8).waiting(2, NOON.plusSeconds(1000));
        Job early = aJob().gpus(1).waiting(4, NOON.plusSeconds(500));
        assertThat(order).puts(small).before(large).puts(early).before(small);
    }

    @Test
    void theScoreIsThatOfThePaper() {
        Job job = aJob().gpus(2).waiting(1, NOON.plusSeconds(1000));
        // log10(3600) × 2 + 870 × log10(1000)
        assertThat(order.key(job))
                .isEqualTo(RequestedWork.key(StrictMath.log10(3600) * 2 + 870 * 3));
    }

    @Test
    void aJobOfTheBeginningHasAScore() {
        Job first = aJob().waiting(2, NOON);
        Job second = aJob().waiting(1, NOON.plusSeconds(1));
        assertThat(order).puts(first).before(second);
    }
}
