package io.gpusched.core.drive;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.PriorityQueue;

/// Planned events, ordered by time and, within one instant, by the order of planning.
///
/// @param <E> the type of event
public final class EventQueue<E> {
    private record Planned<E>(Instant at, long sequence, E what) implements Comparable<Planned<E>> {
        @Override
        public int compareTo(Planned<E> other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    private final PriorityQueue<Planned<E>> heap = new PriorityQueue<>();
    private final Instant horizon;
    private long sequence;
    private boolean cut;

    public EventQueue() {
        this(Instant.MAX);
    }

    /// @param horizon events planned for a later time are dropped
    public EventQueue(Instant horizon) {
        this.horizon = horizon;
    }

    public void plan(Instant at, E what) {
        if (at.isAfter(horizon)) {
            cut = true;
        } else {
            heap.add(new Planned<>(at, sequence++, what));
        }
    }

    /// Whether anything was planned for after the horizon.
    public boolean isCut() {
        return cut;
    }

    /// The time of the next event; null if there is none.
    public @Nullable Instant next() {
        Planned<E> first = heap.peek();
        return first == null ? null : first.at;
    }

    /// The next event, which stays planned; null if there is none.
    public @Nullable E peek() {
        Planned<E> first = heap.peek();
        return first == null ? null : first.what;
    }

    /// Removes and returns the next event if it is due by `now`; null if none is.
    public @Nullable E poll(Instant now) {
        Planned<E> first = heap.peek();
        if (first == null || first.at.isAfter(now)) {
            return null;
        }
        heap.remove();
        return first.what;
    }
}
