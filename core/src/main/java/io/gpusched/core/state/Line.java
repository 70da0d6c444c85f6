package io.gpusched.core.state;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.LongPredicate;

/// The jobs of one class in order of their keys.
///
/// Jobs of one class have one priority, so they nearly always come in the order they leave: those
/// are simply appended to a ring. The few that come out of turn (a job that is queued again keeps
/// its age) go to a small heap beside it.
final class Line {
    private static final int SMALLEST = 16;

    private long[] ring = new long[SMALLEST];
    private int head;
    private int size;
    private @Nullable KeyHeap outOfTurn;

    /// How many entries there are, those of jobs that left included.
    int size() {
        return outOfTurn == null ? size : size + outOfTurn.size();
    }

    long firstKey() {
        KeyHeap beside = besideFirst();
        return beside == null ? ring[head] : beside.firstKey();
    }

    long firstNumber() {
        KeyHeap beside = besideFirst();
        return beside == null ? ring[head + 1] : beside.firstNumber();
    }

    void add(long key, long number) {
        if (size > 0 && comesBeforeLast(key, number)) {
            if (outOfTurn == null) {
                outOfTurn = new KeyHeap();
            }
            outOfTurn.add(key, number);
        } else {
            append(key, number);
        }
    }

    void removeFirst() {
        KeyHeap beside = besideFirst();
        if (beside == null) {
            head = (head + 2) & (ring.length - 1);
            size--;
            return;
        }
        beside.removeFirst();
        if (beside.isEmpty()) {
            outOfTurn = null;
        }
    }

    /// Forgets all entries but those of jobs that stand here, and all but one of each job.
    void keepOnly(LongPredicate stands) {
        var kept = new Line();
        long last = 0;
        while (size() > 0) {
            long number = firstNumber();
            if (number != last && stands.test(number)) {
                kept.append(firstKey(), number);
                last = number;
            }
            removeFirst();
        }
        ring = kept.ring;
        head = kept.head;
        size = kept.size;
    }

    void clear() {
        head = 0;
        size = 0;
        ring = ring.length > 1024 ? new long[SMALLEST] : ring;
        outOfTurn = null;
    }

    /// Hears of entries, and says whether it wants to hear of later ones.
    interface Hearer {
        boolean hears(long key, long number);
    }

    /// Tells of all entries, those of jobs that left included; of the ones in order until the
    /// hearer has enough, of those that came out of turn in no order.
    void tell(Hearer hearer) {
        for (int i = 0; i < size; i++) {
            int at = (head + i * 2) & (ring.length - 1);
            if (!hearer.hears(ring[at], ring[at + 1])) {
                break;
            }
        }
        if (outOfTurn != null) {
            outOfTurn.tell(hearer);
        }
    }

    /// The heap when its first comes before the ring's; null when the ring's comes first.
    private @Nullable KeyHeap besideFirst() {
        KeyHeap beside = outOfTurn;
        if (beside == null || size == 0) {
            return beside;
        }
        long key = ring[head];
        boolean ringIsFirst =
                key < beside.firstKey()
                        || (key == beside.firstKey() && ring[head + 1] < beside.firstNumber());
        return ringIsFirst ? null : beside;
    }

    private boolean comesBeforeLast(long key, long number) {
        int last = (head + size * 2 - 2) & (ring.length - 1);
        return key < ring[last] || (key == ring[last] && number < ring[last + 1]);
    }

    private void append(long key, long number) {
        if (size * 2 == ring.length) {
            grow();
        }
        int at = (head + size * 2) & (ring.length - 1);
        ring[at] = key;
        ring[at + 1] = number;
        size++;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(ring, ring.length * 2);
        // What had wrapped around the end goes behind it.
        System.arraycopy(ring, 0, larger, ring.length, head);
        ring = larger;
    }
}
