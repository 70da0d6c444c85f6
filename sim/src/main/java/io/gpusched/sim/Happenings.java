package io.gpusched.sim;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.PriorityQueue;

/// What will happen, by time and, within one instant, in the order in which it was planned.
final class Happenings {
    private record Planned(Instant at, long sequence, Happening what)
            implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    private final PriorityQueue<Planned> heap = new PriorityQueue<>();
    private final Instant horizon;
    private long sequence;
    private boolean cut;

    /// @param horizon what is planned for later will not happen
    Happenings(Instant horizon) {
        this.horizon = horizon;
    }

    void plan(Instant at, Happening what) {
        if (at.isAfter(horizon)) {
            cut = true;
        } else {
            heap.add(new Planned(at, sequence++, what));
        }
    }

    /// Whether anything was planned for after the horizon.
    boolean areCut() {
        return cut;
    }

    /// When the next one is; null when there is none.
    @Nullable Instant next() {
        Planned first = heap.peek();
        return first == null ? null : first.at;
    }

    /// Takes the next one if it is due at `now`.
    @Nullable Happening poll(Instant now) {
        Planned first = heap.peek();
        if (first == null || !first.at.equals(now)) {
            return null;
        }
        heap.remove();
        return first.what;
    }
}
