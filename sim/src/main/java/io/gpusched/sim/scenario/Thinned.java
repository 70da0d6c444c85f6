package io.gpusched.sim.scenario;

import java.time.Duration;

/// A Poisson stream whose rate changes: one that is always fast enough, of which some are left out.
final class Thinned implements Arrivals.Times {
    /// How fast jobs come at a time, in arrivals per mean gap. Asked at times that never go back.
    interface Rate {
        double at(Duration when, Dice dice);
    }

    private final Duration fastest;
    private final double most;
    private final Rate rate;
    private Duration at;

    /// @param most no rate is higher
    Thinned(Duration start, Duration gap, double most, Rate rate) {
        Duration mean = Dice.scaled(gap, 1 / most);
        this.fastest = mean.isZero() ? Duration.ofMillis(1) : mean;
        this.most = most;
        this.rate = rate;
        this.at = start;
    }

    @Override
    public Duration next(Dice dice) {
        do {
            at = at.plus(dice.exponential(fastest));
        } while (!dice.chance(rate.at(at, dice) / most));
        return at;
    }
}
