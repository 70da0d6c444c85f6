package io.gpusched.core.policy.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Check;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

final class CarbonScheduleTest {
    private static final Instant FROM = Instant.parse("2026-01-05T00:00:00Z");
    private static final ScalingProfile TWO_NODES =
            new ScalingProfile(List.of(0.0, 10.0, 18.0), List.of(0.0, 50.0, 100.0));

    @Test
    void theCleanestSlotsGetNodesFirst() {
        CarbonSchedule schedule = plan(30, 300, 120, 110, 260);
        assertThat(schedule.nodes()).containsExactly(0, 2, 2, 0);
        assertThat(schedule.grams()).isEqualTo(23.0, within(1e-9));
        assertThat(schedule.isComplete()).isTrue();
    }

    @Test
    void aSecondNodeIsWorthLessThanACleanHour() {
        // The second node of the clean hour gives 8 per 50 W, the first of the other 10 per 50 W.
        assertThat(plan(20, 110, 100).nodes()).containsExactly(1, 1);
        assertThat(plan(18, 130, 100).nodes()).containsExactly(0, 2);
    }

    @Test
    void equalSlotsAreFilledFromTheFirstOn() {
        assertThat(plan(20, 100, 100, 100).nodes()).containsExactly(1, 1, 0);
    }

    @Test
    void powerWithoutCarbonIsUsedBeforeAnyOther() {
        assertThat(plan(18, 10, 0, 10).nodes()).containsExactly(0, 2, 0);
    }

    @Test
    void workThatDoesNotFitFillsEverySlotAndSaysSo() {
        CarbonSchedule schedule = plan(100, 100, 100);
        assertThat(schedule.nodes()).containsExactly(2, 2);
        assertThat(schedule.isComplete()).isFalse();
        assertThat(plan(0, 100).nodes()).containsExactly(0);
    }

    @Test
    void noPlanOfAnyOtherShapeEmitsLessForTheSameWork() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            double[] grams = random.doubles(4, 50, 400).toArray();
            CarbonSchedule schedule = plan(random.nextDouble(1, 72), grams);
            double done = 0;
            for (int nodes : schedule.nodes()) {
                done += TWO_NODES.throughput().get(nodes);
            }
            assertThat(schedule.grams())
                    .as("round %d of seed 7", round)
                    .isLessThanOrEqualTo(least(grams, 0, done) + 1e-9);
        }
    }

    /// The fewest grams of all plans that do the work, by trying them all.
    private static double least(double[] grams, int slot, double work) {
        if (slot == grams.length) {
            return work <= 1e-9 ? 0 : Double.MAX_VALUE;
        }
        double least = Double.MAX_VALUE;
        for (int nodes = 0; nodes <= TWO_NODES.maxNodes(); nodes++) {
            double here = TWO_NODES.watts().get(nodes) * grams[slot] / 1000;
            double rest = least(grams, slot + 1, work - TWO_NODES.throughput().get(nodes));
            least = Math.min(least, here + rest);
        }
        return least;
    }

    @Test
    void slotsShorterThanAnHourEmitLess() {
        var halves = new CarbonForecast(FROM, Duration.ofMinutes(30), new double[] {100, 100});
        assertThat(CarbonSchedule.plan(halves, 0, 2, TWO_NODES, 20).grams())
                .isEqualTo(5.0, within(1e-9));
    }

    @Test
    void profilesThatDoNotGrowAndSlotsWithoutForecastAreRejected() {
        assertThatThrownBy(() -> new ScalingProfile(List.of(0.0, 10.0, 10.0), TWO_NODES.watts()))
                .isInstanceOf(Check.Broken.class)
                .hasMessageContaining("throughput grows with every node");
        assertThatThrownBy(() -> new ScalingProfile(List.of(0.0, 10.0), TWO_NODES.watts()))
                .hasMessageContaining("as many throughputs as powers");
        var forecast = new CarbonForecast(FROM, Duration.ofHours(1), new double[] {1, 2});
        assertThatThrownBy(() -> CarbonSchedule.plan(forecast, 1, 2, TWO_NODES, 1))
                .hasMessageContaining("within the forecast of 2 slots, found 2 slots from 1");
    }

    private static CarbonSchedule plan(double work, double... grams) {
        var forecast = new CarbonForecast(FROM, Duration.ofHours(1), grams);
        return CarbonSchedule.plan(forecast, 0, grams.length, TWO_NODES, work);
    }
}
