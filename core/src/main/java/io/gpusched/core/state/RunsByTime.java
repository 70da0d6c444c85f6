package io.gpusched.core.state;

import java.util.LinkedHashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/// Runs in the order of a time, such as their expected end or their placement.
///
/// It sorts lazily: while every job fits at once nothing reads the order, and most runs begin and
/// end without ever being sorted.
final class RunsByTime {
    /// A run and its time.
    record Entry(long micros, long job) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(job, other.job);
        }
    }

    private final TreeSet<Entry> sorted = new TreeSet<>();

    /// Entries that were added since the last sort.
    private final Set<Entry> fresh = new LinkedHashSet<>();

    int size() {
        return sorted.size() + fresh.size();
    }

    void add(Entry entry) {
        fresh.add(entry);
    }

    void remove(Entry entry) {
        if (!fresh.remove(entry)) {
            sorted.remove(entry);
        }
    }

    /// All entries, the earliest first. The caller must not change or keep the set.
    NavigableSet<Entry> inOrder() {
        sorted.addAll(fresh);
        fresh.clear();
        return sorted;
    }
}
