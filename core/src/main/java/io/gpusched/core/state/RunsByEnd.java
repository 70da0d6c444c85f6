package io.gpusched.core.state;

import java.util.LinkedHashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/// Runs by their expected end, sorted lazily: where everything fits the order is never needed, and
/// most runs come and go without ever being sorted.
final class RunsByEnd {
    /// A run and when it is expected to end.
    record Entry(long micros, long job) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(job, other.job);
        }
    }

    private final TreeSet<Entry> sorted = new TreeSet<>();

    /// Not sorted in yet.
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

    /// All of them, the first to end first. The caller must not change or keep it.
    NavigableSet<Entry> inOrder() {
        sorted.addAll(fresh);
        fresh.clear();
        return sorted;
    }
}
