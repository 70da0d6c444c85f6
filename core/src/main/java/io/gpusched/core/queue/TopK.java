package io.gpusched.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Collects the smallest entries of all that it visits, in any order.
final class TopK implements ClassQueue.Visitor {
    private record Entry(long key, long number) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byKey = Long.compare(key, other.key);
            return byKey != 0 ? byKey : Long.compare(number, other.number);
        }
    }

    private final int most;
    private final TreeSet<Entry> first = new TreeSet<>();

    TopK(int most) {
        this.most = most;
    }

    @Override
    public boolean visit(long key, long number) {
        var entry = new Entry(key, number);
        if (first.size() < most) {
            first.add(entry);
        } else if (entry.compareTo(first.last()) < 0) {
            if (first.add(entry)) {
                first.pollLast();
            }
        } else {
            return false;
        }
        return true;
    }

    /// The job numbers of the entries, the smallest entry first.
    List<Long> numbers() {
        var numbers = new ArrayList<Long>();
        for (Entry entry : first) {
            numbers.add(entry.number);
        }
        return numbers;
    }
}
