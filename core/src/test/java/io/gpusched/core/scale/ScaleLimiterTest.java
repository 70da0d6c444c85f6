package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.pool.ScaleBehavior;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class ScaleLimiterTest {
    private final ScaleLimiter limiter = new ScaleLimiter();
    private final Signals signals = Signals.of("slo").between(1, 100);

    private Limited decide(long second, int current, int wanted) {
        limiter.recommended(Signals.at(second), wanted);
        Limited limited = limiter.limit(Signals.at(second), signals.pool(), current, wanted);
        limiter.changed(Signals.at(second), current, limited.replicas());
        return limited;
    }

    @Test
    void aPoolGrowsAtMostToItsDoubleIn15Seconds() {
        assertThat(decide(0, 10, 50))
                .isEqualTo(
                        new Limited(
                                20,
                                Limited.Limit.UP_STEP,
                                "the steps of scaling up allow 20 now, 50 are recommended"));
        assertThat(decide(5, 20, 50).replicas()).isEqualTo(20);
        assertThat(decide(15, 20, 50).replicas()).isEqualTo(40);
    }

    @Test
    void aSmallPoolGrowsByFourReplicas() {
        assertThat(decide(0, 1, 50).replicas()).isEqualTo(5);
        assertThat(decide(15, 0, 50).replicas()).isEqualTo(4);
    }

    @Test
    void aPoolShrinksToTheLargestRecommendationOfFiveMinutes() {
        decide(0, 10, 8);
        Limited limited = decide(100, 10, 3);
        assertThat(limited.replicas()).isEqualTo(8);
        assertThat(limited.limit()).isEqualTo(Limited.Limit.STABILIZATION);
        assertThat(limited.reason()).contains("stabilisation keeps 8");
        assertThat(decide(301, 8, 3).replicas()).isEqualTo(3);
    }

    @Test
    void theBoundsHoldWhateverIsRecommended() {
        assertThat(decide(0, 90, 500).limit()).isEqualTo(Limited.Limit.MAX);
        assertThat(new ScaleLimiter().limit(Signals.START, signals.pool(), 5, 0).replicas())
                .isEqualTo(1);
    }

    @Test
    void aDisabledDirectionKeepsTheSize() {
        var never = new ScaleBehavior(Duration.ZERO, ScaleBehavior.Select.DISABLED, List.of());
        var bounds = new ScaleLimiter.Bounds(1, 100, never, never);
        assertThat(limiter.limit(Signals.START, bounds, 5, 9).replicas()).isEqualTo(5);
        assertThat(limiter.limit(Signals.START, bounds, 5, 2).replicas()).isEqualTo(5);
    }

    @Test
    void theSmallestStepCountsWhereThatIsChosen() {
        var careful =
                new ScaleBehavior(
                        Duration.ZERO,
                        ScaleBehavior.Select.SMALLEST,
                        List.of(
                                new ScaleBehavior.Step(false, 1, Duration.ofSeconds(60)),
                                new ScaleBehavior.Step(true, 50, Duration.ofSeconds(60))));
        var bounds = new ScaleLimiter.Bounds(1, 100, careful, careful);
        assertThat(limiter.limit(Signals.START, bounds, 10, 30).replicas()).isEqualTo(11);
        assertThat(limiter.limit(Signals.START, bounds, 10, 2).replicas()).isEqualTo(9);
    }

    @Test
    void aSnapshotContinuesAsTheOriginal() {
        decide(0, 10, 50);
        decide(5, 20, 15);
        ScaleLimiter restored = ScaleLimiter.restored(limiter.image());
        assertThat(restored.limit(Signals.at(10), signals.pool(), 20, 40))
                .isEqualTo(limiter.limit(Signals.at(10), signals.pool(), 20, 40));
        assertThat(restored.image()).isEqualTo(limiter.image());
    }
}
