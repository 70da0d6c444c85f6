package io.gpusched.lab.spot;

import io.gpusched.core.spot.SpotChoice;

/// What a policy sees at the beginning of a tick. Times are seconds.
///
/// @param task all the work of the job
/// @param deadline from the beginning
/// @param overhead what every start costs
/// @param now from the beginning
/// @param tick length of a tick
/// @param remaining work that is not done
/// @param overheadLeft what is left of the overhead of the last start
/// @param last where the job ran in the tick before
/// @param has whether there is spot capacity in this tick
record DeadlineState(
        double task,
        double deadline,
        double overhead,
        double now,
        double tick,
        double remaining,
        double overheadLeft,
        SpotChoice last,
        boolean has) {
    static final double TINY = 1e-3;

    /// Where the job runs now: nowhere if its spot capacity is gone.
    SpotChoice current() {
        return last == SpotChoice.SPOT && !has ? SpotChoice.WAIT : last;
    }

    double timeLeft() {
        return deadline - now;
    }

    /// Time until the deadline, in whole ticks.
    double wholeTimeLeft() {
        return Math.floor(timeLeft() / tick) * tick;
    }

    /// Time in whole ticks to finish after so many more starts.
    double needed(int starts) {
        return Math.ceil((remaining + starts * overhead) / tick) * tick;
    }

    /// Whether only a start now can still meet the deadline.
    boolean mustRun() {
        return remaining > TINY && needed(1) >= wholeTimeLeft();
    }

    boolean isOnSpotWithoutOverhead(SpotChoice where) {
        return where == SpotChoice.SPOT && overheadLeft < TINY;
    }
}
