package io.gpusched.sim.scenario;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// An arrival process. Arrival times depend only on it and the random numbers. Each process has one
/// arrival per `gap` in the long run, so that processes can be exchanged.
public sealed interface Arrivals {
    /// The mean time between two arrivals.
    Duration gap();

    /// Arrival times in order.
    interface Times {
        Duration next(SeededRandom seededRandom);
    }

    /// A fresh stream that begins at `start`.
    Times from(Duration start);

    /// A Poisson process: arrivals are independent of each other.
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

    /// Bursts with `factor` times the arrival rate of the time in between. Each burst lasts about
    /// `length`; bursts take up the fraction `share` of the time.
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

    /// A daily cycle: the rate rises and falls once in 24 hours by the fraction `swing`, with its
    /// peak at 15:00.
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
