package io.gpusched.sim.trace;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/// The behaviour of the simulated cluster, where published simulators differ.
///
/// @param grid the scheduler receives events only at multiples of this, counted from the first
///        submission; zero for at once
/// @param lag how much longer a run holds its GPUs than its work takes
/// @param restart how much longer the next run takes after a preemption
public record TraceBehaviour(Duration grid, Duration lag, Function<TraceJob, Duration> restart) {
    /// At once, to the second, at no cost.
    public static final TraceBehaviour PLAIN =
            new TraceBehaviour(Duration.ZERO, Duration.ZERO, job -> Duration.ZERO);

    public TraceBehaviour {
        Check.that(
                !grid.isNegative() && !lag.isNegative(),
                "a grid of %s and a lag of %s are not negative",
                grid,
                lag);
    }

    /// The first time from `moment` on at which the scheduler receives events.
    Instant decides(Instant moment, Instant from) {
        if (grid.isZero()) {
            return moment;
        }
        long step = grid.toNanos() / 1000;
        long micros = Duration.between(from, moment).toNanos() / 1000;
        return from.plusNanos(Math.ceilDiv(micros, step) * step * 1000);
    }
}
