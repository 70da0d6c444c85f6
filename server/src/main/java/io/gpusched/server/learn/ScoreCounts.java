package io.gpusched.server.learn;

import io.gpusched.core.learn.Exploration;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreSettings;

import java.util.concurrent.atomic.AtomicLong;

/// How many choices were made and how many explored, counted by many threads at once, with a cap
/// that none of them can break.
///
/// A choice is counted before it asks to explore, and the number of choices only grows; so whatever
/// a thread has seen of it, what it is allowed is allowed.
///
/// Where somebody keeps the counts, explorations are also bounded by what was reserved for them,
/// which is on record before they are made. What was reserved in a life that ended in a crash is
/// taken to have been used up: after a crash less is explored than could be, never more.
///
/// Nobody who asks for a score ever waits for a record: when little is left of what was reserved,
/// more is asked for, and when nothing is left the choice is made without exploring.
final class ScoreCounts implements Exploration {
    private final ScoreSettings settings;
    private final AtomicLong total;
    private final AtomicLong explored;

    /// Explorations of earlier lives that may have been made and are not counted.
    private final long doubtful;

    /// Explorations that are reserved, those made included.
    private volatile long reserved = Long.MAX_VALUE;

    /// From so many on, more is asked for.
    private volatile long scarceFrom = Long.MAX_VALUE;

    private volatile Runnable asksForMore = () -> {};

    /// @param before what was counted in earlier lives
    ScoreCounts(ScoreSettings settings, ExplorationCounts before) {
        this.settings = settings;
        this.total = new AtomicLong(before.total());
        this.explored = new AtomicLong(before.explored());
        this.doubtful = before.reserved();
    }

    /// From now on explorations are reserved first.
    ///
    /// @param ask asks for more to be reserved and returns at once; it may be called often
    void reserveBy(Runnable ask) {
        asksForMore = ask;
        reserved(explored.get());
    }

    /// So many may be made in all. When half of what is left by now has been made, more is asked
    /// for.
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

    /// What was reserved may have been given back meanwhile; then the exploration is taken back.
    private boolean isReserved(long number) {
        if (number < reserved) {
            return true;
        }
        explored.decrementAndGet();
        return false;
    }

    /// Everything so far. Never more explored than chosen: those are read first.
    ExplorationCounts explorationCounts() {
        long some = explored.get();
        return new ExplorationCounts(total.get(), some);
    }
}
