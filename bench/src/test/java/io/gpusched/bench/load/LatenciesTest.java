package io.gpusched.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatenciesTest {
    @Test
    void percentilesAreRightWithinThreePercent() {
        var latencies = new Latencies();
        for (int i = 1; i <= 100_000; i++) {
            latencies.add(i * 1000L);
        }
        assertThat(latencies.count()).isEqualTo(100_000);
        assertThat(latencies.percentileMillis(50)).isCloseTo(50, within(50 * .04));
        assertThat(latencies.percentileMillis(99)).isCloseTo(99, within(99 * .04));
        assertThat(latencies.percentileMillis(100)).isCloseTo(100, within(100 * .04));
    }

    @Test
    void theSmallestAndTheLargestTimesHaveABucketToo() {
        var latencies = new Latencies();
        latencies.add(-1);
        latencies.add(0);
        latencies.add(31);
        latencies.add(32);
        latencies.add(Long.MAX_VALUE);
        assertThat(latencies.percentileMillis(1)).isZero();
        assertThat(latencies.percentileMillis(100)).isGreaterThan(9e12);
    }

    @Test
    void withoutTimesThereIsNoPercentile() {
        assertThat(new Latencies().percentileMillis(99)).isZero();
    }
}
