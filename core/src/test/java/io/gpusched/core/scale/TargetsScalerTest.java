package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ReplicaLoad;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;

final class TargetsScalerTest {
    private static MetricTarget target(PoolMetric metric, long milli) {
        return new MetricTarget(metric, milli, Duration.ZERO);
    }

    /// A load in which every metric has the value 60 in its unit.
    private static LoadBuilder sixty(long sequence) {
        return LoadBuilder.aLoad(sequence)
                .output(60)
                .held(60, 60)
                .sessions(60)
                .context(60)
                .toolCalls(60)
                .queue(60)
                .firstToken(60)
                .replica(new ReplicaLoad(new JobId(1), true, 0, 0, 0, 60_000, 0, 0, 0, 0));
    }

    /// Two replicas and a target of 20: metrics that replicas share need 3, others 2 · 60 / 20.
    @ParameterizedTest
    @EnumSource
    void everyMetricScalesToItsTarget(PoolMetric metric) {
        Signals signals = Signals.of("targets").ready(2).targets(target(metric, 20_000));
        for (int i = 1; i <= 10; i++) {
            signals.load(i, sixty(i).build());
        }
        Recommendation found = signals.recommend();
        assertThat(found.replicas()).isEqualTo(Readings.isShared(metric) ? 3 : 6);
        assertThat(found.reason()).contains("60.0").contains("20.0");
    }

    @Test
    void aSourceThatDoesNotTellAMetricDoesNotDiluteItsMean() {
        var window = Duration.ofSeconds(30);
        for (PoolMetric metric : List.of(PoolMetric.KV_CACHE_USE, PoolMetric.CONTEXT_LENGTH)) {
            var averaged = new MetricTarget(metric, 30_000, window);
            Signals alone = Signals.of("targets").ready(4).targets(averaged);
            Signals both = Signals.of("targets").ready(4).targets(averaged);
            for (int i = 1; i <= 30; i++) {
                alone.load(i, sixty(i).build());
                both.load(i, sixty(i).build());
                both.load(i, LoadBuilder.aLoad(i).from("queue-binding").queue(5).build());
            }
            assertThat(alone.recommend().replicas()).as("%s", metric).isEqualTo(8);
            assertThat(both.recommend().replicas()).as("%s", metric).isEqualTo(8);
        }
    }

    @Test
    void aMetricNearItsTargetChangesNothing() {
        Signals signals =
                Signals.of("targets")
                        .ready(10)
                        .targets(target(PoolMetric.REQUESTS_IN_FLIGHT, 10_000))
                        .load(1, LoadBuilder.aLoad(1).held(109, 0).build());
        assertThat(signals.recommend().replicas()).isEqualTo(10);
        signals.load(2, LoadBuilder.aLoad(2).held(111, 0).build());
        assertThat(signals.recommend().replicas()).isEqualTo(12);
    }

    @Test
    void theLargestRecommendationCounts() {
        Signals signals =
                Signals.of("targets")
                        .ready(4)
                        .targets(
                                target(PoolMetric.REQUESTS_IN_FLIGHT, 10_000),
                                target(PoolMetric.CONCURRENT_SESSIONS, 10_000))
                        .load(1, LoadBuilder.aLoad(1).held(10, 0).sessions(90).build());
        assertThat(signals.recommend().replicas()).isEqualTo(9);
    }

    @Test
    void aMissingMetricNeitherFailsNorShrinksThePool() {
        Signals signals =
                Signals.of("targets")
                        .ready(4)
                        .targets(
                                target(PoolMetric.REQUESTS_IN_FLIGHT, 10_000),
                                target(PoolMetric.FIRST_TOKEN_P95, 500_000))
                        .load(1, LoadBuilder.aLoad(1).held(10, 0).build());
        Recommendation found = signals.recommend();
        assertThat(found.replicas()).isEqualTo(4);
        assertThat(found.reason()).contains("missing: first-token-p95");
        signals.load(2, LoadBuilder.aLoad(2).held(80, 0).build());
        assertThat(signals.recommend().replicas()).isEqualTo(8);
    }

    @Test
    void withoutAnyReportTheSizeStays() {
        Signals signals =
                Signals.of("targets")
                        .ready(4)
                        .targets(target(PoolMetric.QUEUE_DEPTH, 10_000))
                        .now(100);
        assertThat(signals.recommend().replicas()).isEqualTo(4);
    }

    @Test
    void replicasThatLoadAreNotOrderedTwice() {
        Signals signals =
                Signals.of("targets")
                        .replicas(8, 4, 4)
                        .targets(target(PoolMetric.REQUESTS_IN_FLIGHT, 10_000))
                        .load(1, LoadBuilder.aLoad(1).held(80, 0).build());
        assertThat(signals.recommend().replicas()).isEqualTo(8);
    }

    @Test
    void aWindowAveragesTheMetric() {
        Signals signals =
                Signals.of("targets")
                        .ready(1)
                        .targets(
                                new MetricTarget(
                                        PoolMetric.REQUESTS_IN_FLIGHT,
                                        10_000,
                                        Duration.ofSeconds(30)));
        for (int i = 1; i <= 30; i++) {
            signals.load(i, LoadBuilder.aLoad(i).held(i % 2 == 0 ? 60 : 0, 0).build());
        }
        assertThat(signals.recommend().replicas()).isEqualTo(3);
    }

    /// Without requests there is neither a first token nor a context, so they are not missing.
    @ParameterizedTest
    @EnumSource(names = {"FIRST_TOKEN_P95", "CONTEXT_LENGTH"})
    void aPoolWithoutRequestsShrinks(PoolMetric metric) {
        for (Duration over : List.of(Duration.ZERO, Duration.ofSeconds(30))) {
            Signals signals =
                    Signals.of("targets").ready(4).targets(new MetricTarget(metric, 20_000, over));
            for (int i = 1; i <= 20; i++) {
                signals.load(i, sixty(i).arrivals(5, 500).build());
            }
            assertThat(signals.recommend().replicas()).as("%s", over).isEqualTo(12);
            for (int i = 21; i <= 60; i++) {
                signals.load(i, LoadBuilder.aLoad(i).build());
            }
            assertThat(signals.recommend().replicas()).as("%s", over).isZero();
        }
    }

    @Test
    void requestsInFlightWithoutAFirstTokenKeepTheSize() {
        Signals signals =
                Signals.of("targets").ready(4).targets(target(PoolMetric.FIRST_TOKEN_P95, 500_000));
        for (int i = 1; i <= 20; i++) {
            signals.load(i, LoadBuilder.aLoad(i).held(1, 100).build());
        }
        Recommendation found = signals.recommend();
        assertThat(found.replicas()).isEqualTo(4);
        assertThat(found.reason()).isEqualTo("missing: first-token-p95");
    }

    @Test
    void anotherMetricDecidesWhileThereAreNoRequests() {
        Signals signals =
                Signals.of("targets")
                        .ready(4)
                        .targets(
                                target(PoolMetric.CONCURRENT_SESSIONS, 10_000),
                                target(PoolMetric.FIRST_TOKEN_P95, 500_000));
        for (int i = 1; i <= 20; i++) {
            signals.load(i, LoadBuilder.aLoad(i).sessions(15).build());
        }
        assertThat(signals.recommend().replicas()).isEqualTo(2);
    }
}
