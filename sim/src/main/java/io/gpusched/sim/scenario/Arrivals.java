package io.gpusched.sim.scenario;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// A stream of arrivals, as a value: when jobs come follows from it and the dice alone. Each gives
/// one arrival per `gap` in the long run, so that streams can be exchanged.
public sealed interface Arrivals {
    /// The mean time between two arrivals.
    Duration gap();

    /// Moments one after the other.
    interface Times {
        Duration next(SeededRandom seededRandom);
    }

    /// A fresh stream that begins at `start`.
    Times from(Duration start);

    /// Nobody knows of anybody else.
    record Poisson(Duration gap) implements Arrivals {
        @Override
        public Times from(Duration start) {
            return new Times() {
                private Duration at = start;

                @Override
                public Duration next(SeededRandom seededRandom) {
                    at = at.plus(seededRandom.exponential(gap));
                    return at;
                }
            };
        }
    }

    /// Bursts in which jobs come `factor` times as fast as in between, each of them about `length`
    /// long; they take up the part `share` of the time.
    ///
    ///     · ·  ·  ········  ·   ·  · ········
    record Bursty(Duration gap, double factor, double share, Duration length) implements Arrivals {
        public Bursty {
            Check.that(factor >= 1, "a burst is not slower than the rest, found %s", factor);
            Check.that(share > 0 && share < 1, "bursts take part of the time, found %s", share);
        }

        @Override
        public Times from(Duration start) {
            double quiet = 1 / (share * factor + 1 - share);
            Duration between = SeededRandom.scaled(length, (1 - share) / share);
            return new ThinnedPoisson(
                    start,
                    gap,
                    factor * quiet,
                    new ThinnedPoisson.Rate() {
                        private Duration until = start;
                        private boolean burst = true;

                        @Override
                        public double at(Duration when, SeededRandom seededRandom) {
                            while (when.compareTo(until) >= 0) {
                                burst = !burst;
                                Duration mean = burst ? length : between;
                                until = until.plus(seededRandom.exponential(mean)).plusMillis(1);
                            }
                            return burst ? factor * quiet : quiet;
                        }
                    });
        }
    }

    /// More by day than by night: the rate rises and falls once in 24 hours by the part `swing`,
    /// with its peak at three in the afternoon.
    record Diurnal(Duration gap, double swing) implements Arrivals {
        private static final double DAY = Duration.ofDays(1).toMillis();
        private static final double PEAK = Duration.ofHours(15).toMillis();

        public Diurnal {
            Check.that(swing >= 0 && swing <= 1, "the swing is 0 to 1, found %s", swing);
        }

        @Override
        public Times from(Duration start) {
            return new ThinnedPoisson(
                    start,
                    gap,
                    1 + swing,
                    (when, seededRandom) ->
                            1
                                    + swing
                                            * StrictMath.cos(
                                                    2 * Math.PI * (when.toMillis() - PEAK) / DAY));
        }
    }
}
