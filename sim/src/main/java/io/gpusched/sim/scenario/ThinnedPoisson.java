package io.gpusched.sim.scenario;

import java.time.Duration;

/// A Poisson process with a changing rate, by thinning: it draws at the highest rate and drops some
/// arrivals.
final class ThinnedPoisson implements Arrivals.Times {
    /// The arrival rate at a time, in arrivals per mean gap. Called with times that never decrease.
    interface Rate {
        double at(Duration when, SeededRandom seededRandom);
    }

    private final Duration fastest;
    private final double most;
    private final Rate rate;
    private Duration at;

    /// @param most the highest rate
    ThinnedPoisson(Duration start, Duration gap, double most, Rate rate) {
        Duration mean = SeededRandom.scaled(gap, 1 / most);
        this.fastest = mean.isZero() ? Duration.ofMillis(1) : mean;
        this.most = most;
        this.rate = rate;
        this.at = start;
    }

    @Override
    public Duration next(SeededRandom seededRandom) {
        do {
            at = at.plus(seededRandom.exponential(fastest));
        } while (!seededRandom.chance(rate.at(at, seededRandom) / most));
        return at;
    }
}
