package io.gpusched.server.learn;

import io.gpusched.core.learn.Exploration;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.Tally;

import java.util.concurrent.atomic.AtomicLong;

/// How many choices were made and how many explored, counted by many threads at once, with a cap
/// that none of them can break.
///
/// A choice is counted before it asks to explore, and the number of choices only grows; so whatever
/// a thread has seen of it, what it is allowed is allowed.
final class ScoreCounts implements Exploration {
    private final ScoreSettings settings;
    private final AtomicLong total;
    private final AtomicLong explored;

    /// @param before what was counted in earlier lives
    ScoreCounts(ScoreSettings settings, Tally before) {
        this.settings = settings;
        this.total = new AtomicLong(before.total());
        this.explored = new AtomicLong(before.explored());
    }

    @Override
    public boolean decide(boolean wants) {
        long choices = total.incrementAndGet();
        if (!wants) {
            return false;
        }
        long most = settings.mayExplore(choices);
        long before = explored.get();
        while (before < most) {
            long found = explored.compareAndExchange(before, before + 1);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
    }

    /// Everything so far. Never more explored than chosen: those are read first.
    Tally tally() {
        long some = explored.get();
        return new Tally(total.get(), some);
    }
}
