package io.gpusched.sim.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/// The arithmetic below the meter.
final class MetricsTest {
    private static final Instant SIX = Instant.parse("2026-01-05T06:00:00Z");

    @Test
    void quantilesAreByNearestRank() {
        var sample = new Sample();
        for (int i = 100; i >= 1; i--) {
            sample.add(i);
        }
        assertThat(sample.mean()).isEqualTo(50.5);
        assertThat(sample.quantile(0.5)).isEqualTo(50);
        assertThat(sample.quantile(0.9)).isEqualTo(90);
        assertThat(sample.quantile(0.99)).isEqualTo(99);
        assertThat(sample.curve(2)).containsExactly(1, 50, 100);
        assertThat(new Sample().quantile(0.5)).isNaN();
    }

    @Test
    void anIntervalHoldsTheMeanAndRepeats() {
        ConfidenceInterval confidenceInterval =
                ConfidenceInterval.of(10, 12, 14, 16, 18, Double.NaN);
        assertThat(confidenceInterval.mean()).isEqualTo(14);
        assertThat(confidenceInterval.seeds()).isEqualTo(5);
        assertThat(confidenceInterval.low()).isBetween(11.0, 12.5);
        assertThat(confidenceInterval.high()).isBetween(15.5, 17.0);
        assertThat(ConfidenceInterval.of(10, 12, 14, 16, 18)).isEqualTo(confidenceInterval);
        assertThat(ConfidenceInterval.of(7)).isEqualTo(new ConfidenceInterval(7, 7, 7, 1));
        assertThat(ConfidenceInterval.of().seeds()).isZero();
    }

    @Test
    void anIntensityIsAddedUpOverItsStepsAndRepeats() {
        GridIntensity curve =
                GridIntensity.steps(
                        List.of(SIX, SIX.plusSeconds(3600), SIX.plusSeconds(7200)),
                        List.of(300.0, 250.0, 400.0));
        assertThat(curve.at(SIX.plusSeconds(1800))).isEqualTo(300);
        assertThat(curve.at(SIX.plusSeconds(10_700))).isEqualTo(400);
        assertThat(curve.at(SIX.plusSeconds(12_000))).isEqualTo(300);
        assertThat(curve.at(SIX.minusSeconds(10))).isEqualTo(400);
        double half = 1800;
        assertThat(curve.between(SIX.plusSeconds(1800), SIX.plusSeconds(5400)))
                .isCloseTo(half * 300 + half * 250, within(1e-6));
        assertThat(curve.between(SIX, SIX.plusSeconds(10 * 10_800)))
                .isCloseTo(10 * 3600 * 950.0, within(1e-3));
        assertThat(GridIntensity.constant(480).between(SIX, SIX.plusSeconds(10)))
                .isCloseTo(4800, within(1e-6));
    }

    /// Two GPUs for the tenant alone; four jobs of 100 s, one of them too large for it.
    @Test
    void finishTimeFairnessComparesWithAPrivateCluster() {
        var jobs =
                List.of(
                        new FairFinish.Finished(0, 100, 1000, 100),
                        new FairFinish.Finished(0, 100, 1000, 300),
                        new FairFinish.Finished(0, 100, 2000, 100),
                        new FairFinish.Finished(0, 100, 4000, 200));
        assertThat(FairFinish.rhos(jobs, 2000)).containsExactly(1.0, 3.0, 0.5, 0.5);
    }

    @Test
    void jainIsOneForEqualsAndOneOfNForOneWhoHasAll() {
        assertThat(Summary.jain(List.of(0.3, 0.3, 0.3))).isCloseTo(1, within(1e-12));
        assertThat(Summary.jain(List.of(1.0, 0.0, 0.0, 0.0))).isCloseTo(0.25, within(1e-12));
        assertThat(Summary.jain(List.of())).isNaN();
    }

    @Test
    void aSeriesKeepsItsSumsWhenItsStepsGrow() {
        var timeSeries = new TimeSeries(1, 60);
        for (int i = 0; i < 100; i++) {
            timeSeries.add(i * 1000, i * 1000 + 1000, 2);
        }
        double sum = 0;
        for (double step : timeSeries.line(0)) {
            sum += step;
        }
        assertThat(sum).isCloseTo(200_000, within(1e-6));
        assertThat(timeSeries.width()).isEqualTo(240);
        assertThat(timeSeries.line(0)).hasSize(417);
    }
}
