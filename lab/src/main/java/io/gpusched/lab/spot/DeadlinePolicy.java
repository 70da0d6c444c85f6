package io.gpusched.lab.spot;

import static io.gpusched.core.spot.SpotChoice.ON_DEMAND;
import static io.gpusched.core.spot.SpotChoice.SPOT;
import static io.gpusched.core.spot.SpotChoice.WAIT;

import io.gpusched.core.spot.SpotChoice;

/// Where a job with a deadline runs in the next tick. A new policy object is made for each run.
interface DeadlinePolicy {
    SpotChoice choose(DeadlineState state);

    /// Spot capacity or nothing, until only on demand meets the deadline.
    static SpotChoice greedy(DeadlineState state) {
        if (state.needed(1) >= state.wholeTimeLeft()) {
            return ON_DEMAND;
        }
        if (state.needed(2) >= state.wholeTimeLeft()) {
            return state.current() == SPOT && state.has() ? SPOT : ON_DEMAND;
        }
        return state.has() ? SPOT : WAIT;
    }

    /// Uniform Progress (NSDI 2024): work is done at least as fast as time passes.
    static SpotChoice uniformProgress(DeadlineState state) {
        double due = (state.now() + 2 * state.overhead()) * state.task() / state.deadline();
        return uniform(state, !state.has() || due - done(state) >= 0);
    }

    /// Uniform Progress that leaves on demand as soon as there is spot capacity.
    static SpotChoice uniformProgressWithoutHysteresis(DeadlineState state) {
        return uniform(state, !state.has());
    }

    /// @param stays whether a job that runs on demand stays there
    private static SpotChoice uniform(DeadlineState state, boolean stays) {
        if (state.remaining() <= DeadlineState.TINY) {
            return WAIT;
        }
        SpotChoice current = state.current();
        if (state.needed(1) >= state.wholeTimeLeft()) {
            boolean free = state.overhead() == 0 && state.has();
            return free || state.isOnSpotWithoutOverhead(current) ? SPOT : ON_DEMAND;
        }
        if (state.needed(2) >= state.wholeTimeLeft() && current != SPOT) {
            return ON_DEMAND;
        }
        if (current == ON_DEMAND && stays) {
            return ON_DEMAND;
        }
        if (state.has()) {
            return SPOT;
        }
        double due = state.now() * state.task() / state.deadline();
        return done(state) - due < 0 ? ON_DEMAND : WAIT;
    }

    private static double done(DeadlineState state) {
        return state.task() - state.remaining();
    }

    /// The best program that was published, found by an evolutionary search (LEVI).
    static SpotChoice evolved(DeadlineState state) {
        double left = state.timeLeft();
        double needed = state.remaining() + state.overhead();
        if (left <= needed + state.tick()) {
            return state.has() && state.last() == SPOT ? SPOT : ON_DEMAND;
        }
        if (state.has()) {
            return SPOT;
        }
        if (state.last() == ON_DEMAND) {
            return ON_DEMAND;
        }
        return left > needed + 2 * state.tick() + state.remaining() / 10 ? WAIT : ON_DEMAND;
    }
}
