package io.gpusched.server.learn;

import io.gpusched.core.learn.Exploration;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreSettings;

import java.util.concurrent.atomic.AtomicLong;

/// Counts choices and explorations of many threads at once, and enforces the cap on explorations.
///
/// A choice is counted before it asks to explore, and the number of choices only grows. So a
/// permission that was right for the number that a thread has seen stays right.
///
/// If the counts are recorded ([ChoiceCountRecorder]), explorations are also limited by the
/// reserved number, which is recorded before they are made. Explorations that were reserved before
/// a crash count as used: after a crash there may be fewer explorations than allowed, never more.
///
/// A score never waits for a record: when few reserved explorations are left, more are requested,
/// and when none is left the choice is made without exploring.
final class ScoreCounts implements Exploration {
    private final ScoreSettings settings;
    private final AtomicLong total;
    private final AtomicLong explored;

    /// Explorations of earlier processes that may have been made and are not counted.
    private final long doubtful;

    /// Reserved explorations, including those already made.
    private volatile long reserved = Long.MAX_VALUE;

    /// When this many explorations are made, more are requested.
    private volatile long scarceFrom = Long.MAX_VALUE;

    private volatile Runnable asksForMore = () -> {};

    /// @param before the counts of earlier processes
    ScoreCounts(ScoreSettings settings, ExplorationCounts before) {
        this.settings = settings;
        this.total = new AtomicLong(before.total());
        this.explored = new AtomicLong(before.explored());
        this.doubtful = before.reserved();
    }

    /// Requires from now on that explorations are reserved first.
    ///
    /// @param ask requests more reservations and returns at once; it may be called often
    void reserveBy(Runnable ask) {
        asksForMore = ask;
        reserved(explored.get());
    }

    /// Sets the total number of reserved explorations. When half of the remaining ones are made,
    /// more are requested.
    void reserved(long most) {
        scarceFrom = most - Math.max(0, most - explored.get()) / 2;
        reserved = most;
    }

    long doubtful() {
        return doubtful;
    }

    @Override
    public boolean decide(boolean wants) {
        long choices = total.incrementAndGet();
        if (!wants) {
            return false;
        }
        long most = settings.mayExplore(choices) - doubtful;
        long before = explored.get();
        while (before < most) {
            if (before >= scarceFrom) {
                asksForMore.run();
            }
            if (before >= reserved) {
                return false;
            }
            long found = explored.compareAndExchange(before, before + 1);
            if (found == before) {
                return isReserved(before);
            }
            before = found;
        }
        return false;
    }

    /// The reservation may have been given back meanwhile; then the exploration is undone.
    private boolean isReserved(long number) {
        if (number < reserved) {
            return true;
        }
        explored.decrementAndGet();
        return false;
    }

    /// The counts so far. Explorations are read first, so they never exceed the choices.
    ExplorationCounts explorationCounts() {
        long some = explored.get();
        return new ExplorationCounts(total.get(), some);
    }
}
