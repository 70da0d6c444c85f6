package io.gpusched.sim.scenario;

import java.time.Duration;

/// A Poisson stream whose rate changes: one that is always fast enough, of which some are left out.
final class ThinnedPoisson implements Arrivals.Times {
    /// How fast jobs come at a time, in arrivals per mean gap. Asked at times that never go back.
    interface Rate {
        double at(Duration when, SeededRandom seededRandom);
    }

    private final Duration fastest;
    private final double most;
    private final Rate rate;
    private Duration at;

    /// @param most no rate is higher
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
