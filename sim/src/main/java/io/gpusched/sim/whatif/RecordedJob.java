package io.gpusched.sim.whatif;

import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Interruption;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The runs of one job in the journal, as far as it has been read.
final class RecordedJob {
    final Interruption onLoss;
    @Nullable Instant placed;
    @Nullable Instant started;
    @Nullable Duration toStart;
    @Nullable Exit exit;

    /// The work that interrupted runs have saved.
    Duration saved = Duration.ZERO;

    /// A lower bound of the runtime.
    Duration atLeast = Duration.ZERO;

    /// Whether the job ended by itself: `atLeast` is then its runtime.
    boolean whole;

    /// Whether its run is being stopped because it left its GPUs idle.
    boolean idled;

    RecordedJob(Interruption onLoss) {
        this.onLoss = onLoss;
    }

    void begins(Instant at) {
        started = at;
        if (placed != null) {
            toStart = Duration.between(placed, at);
        }
    }

    /// A task ended; what says most about why the run ended is kept.
    void ended(Exit with) {
        if (exit == null || weight(with) > weight(exit)) {
            exit = with;
        }
    }

    private static int weight(Exit exit) {
        return switch (exit.how()) {
            case LOST -> 5;
            case REFUSED -> 4;
            case TIMEOUT -> 3;
            case EXITED, SIGNALLED -> exit.success() ? 0 : 2;
            case STOPPED, WITHDRAWN -> 1;
        };
    }

    /// The run is over and another will follow.
    ///
    /// @param every how often work is saved; zero when that is done as it is stopped
    void interrupted(Instant at, boolean lost, Duration every) {
        Duration ran = ran(at);
        atLeast = longer(atLeast, saved.plus(ran));
        saved = saved.plus(saved(onLoss, ran, lost, every));
        forgetRun();
    }

    /// The part of an ended run whose work was saved.
    static Duration saved(Interruption onLoss, Duration ran, boolean lost, Duration every) {
        return lost && every.isZero() ? Duration.ZERO : ran.minus(onLoss.lost(ran, every));
    }

    /// The job is over.
    ///
    /// A run that was stopped for idle GPUs counts as ended by itself: it would have been stopped
    /// under any policy after the same time.
    ///
    /// @param byItself whether the job ended without being cancelled
    void over(Instant at, boolean byItself) {
        atLeast = longer(atLeast, saved.plus(ran(at)));
        Exit last = exit;
        if (byItself && started != null && last != null) {
            whole =
                    switch (last.how()) {
                        case EXITED, SIGNALLED, TIMEOUT -> true;
                        case STOPPED -> idled;
                        case LOST, REFUSED, WITHDRAWN -> false;
                    };
            if (whole) {
                atLeast = saved.plus(ran(at));
            }
        }
        started = null;
        placed = null;
    }

    /// The lower bound of the runtime that is known at this time.
    Duration atLeast(Instant now) {
        return longer(atLeast, saved.plus(ran(now)));
    }

    private Duration ran(Instant now) {
        return started == null || now.isBefore(started)
                ? Duration.ZERO
                : Duration.between(started, now);
    }

    private void forgetRun() {
        placed = null;
        started = null;
        exit = null;
        idled = false;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
