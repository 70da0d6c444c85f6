package io.gpusched.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Runs by when they are expected to end, sorted only when somebody asks: where everything fits
/// nobody does, and most runs come and go without ever having been put in order.
final class EndOrder {
    /// A run and when it is expected to end.
    record Entry(long micros, long job) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(job, other.job);
        }
    }

    /// Says whether the entry is that of a run as it is now.
    interface Check {
        boolean stands(Entry entry);
    }

    /// How many entries of runs that are over may stay, however few runs there are.
    private static final int FEW = 64;

    private final Check check;
    private final TreeSet<Entry> sorted = new TreeSet<>();

    /// Not sorted in yet; those of runs that are over stay until somebody asks, or too many do.
    private final List<Entry> fresh = new ArrayList<>();

    private int size;

    EndOrder(Check check) {
        this.check = check;
    }

    int size() {
        return size;
    }

    /// The run must be in the ledger as the entry says.
    void add(Entry entry) {
        size++;
        fresh.add(entry);
        if (fresh.size() > 2 * size + FEW) {
            fresh.removeIf(other -> !check.stands(other));
        }
    }

    void remove(Entry entry) {
        size--;
        if (!sorted.isEmpty()) {
            sorted.remove(entry);
        }
    }

    /// All of them, the first to end first. Not to be changed, nor kept.
    NavigableSet<Entry> inOrder() {
        for (Entry entry : fresh) {
            if (check.stands(entry)) {
                sorted.add(entry);
            }
        }
        fresh.clear();
        return sorted;
    }
}
