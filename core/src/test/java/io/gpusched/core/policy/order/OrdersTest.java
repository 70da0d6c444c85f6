package io.gpusched.core.policy.order;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.QueueOrder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class OrdersTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static Job job(long number, int gpus, Duration limit, Instant submitted) {
        return aJob().gpus(gpus).limit(limit).waiting(number, submitted);
    }

    private static boolean before(QueueOrder order, Job one, Job other) {
        return order.key(one) < order.key(other);
    }

    @Test
    void theShorterLimitGoesFirstAndJobsWithoutOneComeLast() {
        var order = new ShortestLimitOrder();
        Job none = job(1, 1, Duration.ZERO, NOON);
        Job longer = job(2, 1, Duration.ofDays(365), NOON);
        Job shorter = job(3, 8, Duration.ofHours(1), NOON.plusSeconds(1000));
        Job alike = job(4, 1, Duration.ofHours(1), NOON);
        assertThat(before(order, shorter, longer)).isTrue();
        assertThat(before(order, longer, none)).isTrue();
        assertThat(order.key(alike))
                .as("neither size nor time of arrival matters")
                .isEqualTo(order.key(shorter));
    }

    @Test
    void timeInWhichAJobWasHeldCountsOnlyIfWanted() {
        Instant later = NOON.plus(Duration.ofMinutes(90));
        Job held =
                aJob().waiting(1, NOON)
                        .with(new Phase.Held(NOON.plus(Duration.ofMinutes(30)), "held"))
                        .released(later);
        Job since = aJob().waiting(2, NOON.plus(Duration.ofMinutes(59)));
        assertThat(held.unaged()).isEqualTo(Duration.ofMinutes(60));
        assertThat(before(new PriorityOrder(Duration.ofSeconds(6), true), held, since)).isTrue();
        assertThat(before(new PriorityOrder(Duration.ofSeconds(6), false), since, held)).isTrue();
    }

    @Test
    void f1PrefersSmallJobsAndForgivesLateOnesLittle() {
        var order = new F1Order(NOON);
        Job small = job(1, 1, Duration.ofHours(1), NOON.plusSeconds(1000));
        Job large = job(2, 8, Duration.ofHours(1), NOON.plusSeconds(1000));
        Job early = job(3, 1, Duration.ofHours(1), NOON.plusSeconds(500));
        assertThat(before(order, small, large)).isTrue();
        assertThat(before(order, early, small)).isTrue();
        // log10(3600) × 1 + 870 × log10(1000)
        assertThat(order.key(small)).isEqualTo(RequestedWork.key(StrictMath.log10(3600) + 870 * 3));
    }

    @Test
    void underWfp3AJobOvertakesAnotherWhenItHasWaitedLongForItsLength() {
        Job longer = job(1, 1, Duration.ofHours(10), NOON);
        Job shorter = job(2, 1, Duration.ofMinutes(10), NOON.plus(Duration.ofHours(1)));
        var order = new Wfp3Order(Instant.EPOCH);
        Instant soon = NOON.plus(Duration.ofMinutes(61));
        Instant later = NOON.plus(Duration.ofMinutes(90));
        assertThat(before(order.at(soon), longer, shorter)).isTrue();
        assertThat(before(order.at(later), shorter, longer)).isTrue();
    }

    @Test
    void underUnicepNarrowJobsOfOneLengthGoFirst() {
        var order = new UnicepOrder(NOON.plus(Duration.ofHours(1)));
        Job one = job(3, 1, Duration.ofHours(1), NOON);
        Job two = job(2, 2, Duration.ofHours(1), NOON);
        Job eight = job(1, 8, Duration.ofHours(1), NOON);
        assertThat(before(order, one, two)).isTrue();
        assertThat(before(order, two, eight)).isTrue();
    }

    @Test
    void theIndexRulePrefersWhatFillsTheClusterAndThenWhatIsShort() {
        var order = new IndexOrder();
        Job large = job(1, 8, Duration.ofHours(10), NOON);
        Job small = job(2, 1, Duration.ofMinutes(10), NOON);
        Job shorter = job(3, 8, Duration.ofHours(5), NOON);
        assertThat(before(order, large, small)).isTrue();
        assertThat(before(order, shorter, large)).isTrue();
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
