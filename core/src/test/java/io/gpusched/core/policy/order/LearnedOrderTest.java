package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class LearnedOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration POINT = Duration.ofSeconds(6);

    private final Job important = aJob().priority(200).waiting(2, NOON.plusSeconds(3600));
    private final Job older = aJob().priority(199).waiting(1, NOON);
    private final Job later = aJob().priority(200).waiting(3, NOON.plusSeconds(9000));

    @Test
    void theHigherPriorityIsFirstHoweverLongTheOtherWaits() {
        LearnedOrder order = LearnedOrder.byPriority(POINT);
        assertThat(order).puts(important).before(older);
        assertThat(order).puts(important).before(later);
    }

    @Test
    void theOlderIsFirstWherePrioritiesAreMixed() {
        LearnedOrder order = LearnedOrder.mixed();
        assertThat(order).puts(older).before(important);
    }

    @Test
    void onlyPrioritiesThatCountPreempt() {
        assertThat(LearnedOrder.byPriority(POINT).pointEvery()).isEqualTo(POINT);
        assertThat(LearnedOrder.mixed().pointEvery()).isNull();
    }
}
