package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class PriorityOrderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration POINT = Duration.ofSeconds(6);

    @Test
    void theHigherPriorityGoesFirst() {
        Job low = aJob().priority(10).waiting(1, NOON);
        Job high = aJob().priority(11).waiting(2, NOON);
        assertThat(new PriorityOrder(POINT)).puts(high).before(low);
        assertThat(new PriorityOrder(Duration.ZERO)).puts(high).before(low);
    }

    @Test
    void aMinuteOfWaitingIsWorthTenPoints() {
        Job low = aJob().priority(100).waiting(1, NOON);
        Job same = aJob().priority(110).waiting(2, NOON.plusSeconds(60));
        Job later = aJob().priority(110).waiting(3, NOON.plusSeconds(61));
        assertThat(new PriorityOrder(POINT)).ties(low, same).puts(low).before(later);
    }

    @Test
    void withoutAgeingOnlyPriorityCounts() {
        Job early = aJob().priority(100).waiting(1, NOON);
        Job late = aJob().priority(100).waiting(2, NOON.plus(Duration.ofDays(1)));
        assertThat(new PriorityOrder(Duration.ZERO)).ties(early, late);
    }

    @Test
    void timeInWhichAJobWasHeldCountsOnlyIfWanted() {
        Job held =
                aJob().waiting(1, NOON)
                        .with(new Phase.Held(NOON.plus(Duration.ofMinutes(30)), "held"))
                        .released(NOON.plus(Duration.ofMinutes(90)));
        Job since = aJob().waiting(2, NOON.plus(Duration.ofMinutes(59)));
        Job level = aJob().waiting(3, NOON.plus(Duration.ofMinutes(60)));
        assertThat(held.unaged()).isEqualTo(Duration.ofMinutes(60));
        assertThat(new PriorityOrder(POINT, true)).puts(held).before(since);
        assertThat(new PriorityOrder(POINT, false)).puts(since).before(held).ties(held, level);
    }

    @Test
    void ageingIsGivenInPointsPerMinute() {
        assertThat(PriorityOrder.pointsPerMinute(10, true).pointEvery()).isEqualTo(POINT);
        assertThat(PriorityOrder.pointsPerMinute(0, true).pointEvery()).isZero();
        assertThatThrownBy(() -> PriorityOrder.pointsPerMinute(-1, true))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> new PriorityOrder(Duration.ofSeconds(-1)))
                .isInstanceOf(Check.Broken.class);
    }
}
