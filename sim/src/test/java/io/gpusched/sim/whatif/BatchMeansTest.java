package io.gpusched.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

/// Intervals around the mean of correlated values.
final class BatchMeansTest {
    @Test
    void thereIsNoIntervalBeforeTenBatchesAreFull() {
        var batchMeans = new BatchMeans();
        for (int i = 1; i < BatchMeans.FEWEST_BATCHES * BatchMeans.SMALLEST_BATCH; i++) {
            batchMeans.add(i % 2);
        }
        assertThat(batchMeans.interval().isKnown()).isFalse();
        assertThat(batchMeans.interval().verdict()).isEqualTo(ShadowVerdict.UNDECIDED);

        batchMeans.add(1);

        MeanInterval interval = batchMeans.interval();
        assertThat(interval.isKnown()).isTrue();
        assertThat(interval.jobs()).isEqualTo(50);
        assertThat(interval.low()).isLessThan(interval.mean());
        assertThat(interval.high()).isGreaterThan(interval.mean());
    }

    @Test
    void theIntervalOfEqualValuesIsOnePoint() {
        var batchMeans = new BatchMeans();
        for (int i = 0; i < 1000; i++) {
            batchMeans.add(-3);
        }
        assertThat(batchMeans.interval()).isEqualTo(new MeanInterval(1000, -3, -3, -3));
        assertThat(batchMeans.interval().verdict()).isEqualTo(ShadowVerdict.BETTER);
    }

    @Test
    void equalPoliciesStayUndecided() {
        var batchMeans = new BatchMeans();
        for (int i = 0; i < 1000; i++) {
            batchMeans.add(0);
        }
        assertThat(batchMeans.interval().verdict()).isEqualTo(ShadowVerdict.UNDECIDED);
    }

    @Test
    void theMeanIsThatOfAllValuesHoweverManyBatchesWereJoined() {
        var random = new Random(7);
        var batchMeans = new BatchMeans();
        double sum = 0;
        for (int i = 0; i < 12_345; i++) {
            double value = random.nextGaussian() + 2;
            sum += value;
            batchMeans.add(value);
        }
        MeanInterval interval = batchMeans.interval();
        assertThat(interval.mean()).isCloseTo(sum / 12_345, within(1e-9));
        assertThat(interval.verdict()).isEqualTo(ShadowVerdict.WORSE);
        assertThat(interval.high() - interval.low()).isLessThan(0.2);
    }

    @Test
    void aCopyDoesNotChangeItsOriginal() {
        var batchMeans = new BatchMeans();
        batchMeans.add(1);
        batchMeans.copy().add(100);
        assertThat(batchMeans.interval().mean()).isEqualTo(1);
    }

    @Test
    void about95OfAHundredIntervalsContainTheTrueMeanForIndependentValues() {
        assertThat(coverage(0, 2000)).isBetween(0.92, 0.98);
    }

    /// With the usual formula for independent values, the interval would contain the mean in less
    /// than half of the cases.
    @Test
    void mostIntervalsContainTheTrueMeanForStronglyCorrelatedValues() {
        assertThat(coverage(0.9, 2000)).isGreaterThan(0.90);
        assertThat(coverage(0.9, 300)).isGreaterThan(0.85);
    }

    /// The share of 400 seeded sequences whose interval contains their true mean, 0. Each value is
    /// `correlation` times the one before plus noise.
    private static double coverage(double correlation, int values) {
        int covered = 0;
        for (int seed = 0; seed < 400; seed++) {
            var random = new Random(seed);
            var batchMeans = new BatchMeans();
            double value = random.nextGaussian() / Math.sqrt(1 - correlation * correlation);
            for (int i = 0; i < values; i++) {
                batchMeans.add(value);
                value = correlation * value + random.nextGaussian();
            }
            MeanInterval interval = batchMeans.interval();
            covered += interval.low() <= 0 && interval.high() >= 0 ? 1 : 0;
        }
        return covered / 400.0;
    }
}
