package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.state.PoolEntry;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/// Noise of 5 % on every metric changes no pool's size, whatever its law. `slo` does so by itself,
/// see [SloScalerTest]; here the others run as in a pool, with the usual stabilisation.
///
/// Every law has sizes at which more load means one more replica, and a steady load may be just
/// below such an edge. Then noise makes the pool grow once, by the step of its law. So the pool
/// first meets the noise at its worst, and must keep its size from then on.
final class NoiseTest {
    private static final int SEEDS = 40;
    private static final double NOISE = 0.05;
    private static final int EVERY = 5;

    private static List<Signals> laws() {
        var minute = Duration.ofMinutes(1);
        return List.of(
                Signals.of("targets")
                        .targets(
                                new MetricTarget(
                                        PoolMetric.REQUESTS_IN_FLIGHT, 12_000, Duration.ZERO)),
                Signals.of("targets")
                        .targets(
                                new MetricTarget(
                                        PoolMetric.TOKENS_IN_QUEUE, 700_000, Duration.ZERO),
                                new MetricTarget(PoolMetric.CONCURRENT_SESSIONS, 9_000, minute),
                                new MetricTarget(PoolMetric.TOKENS_PER_SECOND, 300_000, minute),
                                new MetricTarget(PoolMetric.QUEUE_DEPTH, 80_000, Duration.ZERO)),
                Signals.of("tokens").replicaTokensPerSecond(1_000),
                Signals.of("queue").queue(new QueueRule(10, 5_000, 0)),
                Signals.of("queue").queue(new QueueRule(10, 5_000, 40)));
    }

    @ParameterizedTest
    @MethodSource("laws")
    void noiseOfFivePercentChangesNothing(Signals signals) {
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++) {
            new SteadyLoad(signals.again().between(1, 400), seed).keepsItsSize();
        }
    }

    /// A pool under a steady load, whose size follows its law.
    private static final class SteadyLoad {
        private final Signals signals;
        private final long seed;
        private final Random random;
        private final double level;
        private final ScaleLimiter limiter = new ScaleLimiter();
        private int size = 4;
        private int recommended = 4;
        private long second;

        SteadyLoad(Signals signals, long seed) {
            this.signals = signals;
            this.seed = seed;
            this.random = new Random(seed);
            this.level = 40 + 9.73 * seed;
        }

        void keepsItsSize() {
            settle(() -> 0);
            settle(() -> random.nextBoolean() ? NOISE : -NOISE);
            settle(() -> NOISE * (2 * random.nextDouble() - 1));
            int before = size;
            for (int i = 0; i < 720; i++) {
                run(EVERY, () -> NOISE * (2 * random.nextDouble() - 1));
                assertThat(size)
                        .as("seed %d, level %.2f, second %d", seed, level, second)
                        .isEqualTo(before);
            }
        }

        /// Until the size has been the same for 30 minutes: the stabilisation lets some laws remove
        /// one replica in five.
        private void settle(Noise noise) {
            int before = 0;
            for (int i = 0; i < 200 && before != size; i++) {
                before = size;
                run(1_800, noise);
            }
            assertThat(size).as("seed %d, level %.2f", seed, level).isEqualTo(before);
        }

        private void run(int seconds, Noise noise) {
            for (int i = 0; i < seconds; i++) {
                second++;
                signals.load(second, load(noise));
                if (second % EVERY == 0) {
                    decide();
                }
            }
        }

        private PoolLoad load(Noise noise) {
            return LoadBuilder.aLoad(second)
                    .arrivals(10, 10_000)
                    .output(whole(40 * level, noise))
                    .sessions(whole(level, noise))
                    .queue(whole(6 * level, noise))
                    .replica(1, whole(level, noise), 0, whole(60 * level, noise))
                    .build();
        }

        private static int whole(double figure, Noise noise) {
            return (int) Math.round(figure * (1 + noise.next()));
        }

        private void decide() {
            int wanted = signals.ready(size).recommend().replicas();
            var now = Signals.at(second);
            // As in the core, a recommendation holds until the next one.
            limiter.recommended(now.minus(PoolEntry.MOMENT), recommended);
            recommended = wanted;
            limiter.recommended(now, wanted);
            int next = limiter.limit(now, signals.pool(), size, wanted).replicas();
            limiter.changed(now, size, next);
            size = next;
        }
    }

    /// By which fraction the next figure is wrong.
    @FunctionalInterface
    private interface Noise {
        double next();
    }
}
