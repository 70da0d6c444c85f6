package io.gpusched.core.state;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.LongPredicate;

/// The jobs of one class in order of their keys.
///
/// Jobs of one class have one priority, so they nearly always come in the order they leave: those
/// are simply appended to a ring. The few that come out of turn (a job that is queued again keeps
/// its age) go to a small heap beside it.
sealed class Line permits WaitClass {
    private static final int SMALLEST = 16;

    private long[] ring = new long[SMALLEST];
    private int head;
    private int size;
    private @Nullable KeyHeap outOfTurn;

    // The first two entries of the ring and its last, once more: with thousands of classes a ring
    // is seldom in the processor's caches. The second is fetched when the one before it leaves,
    // long before anybody asks for it.
    private long firstKey;
    private long firstNumber;
    private long secondKey;
    private long secondNumber;
    private long lastKey;
    private long lastNumber;

    /// How many entries there are, those of jobs that left included.
    int entries() {
        return outOfTurn == null ? size : size + outOfTurn.size();
    }

    long firstKey() {
        KeyHeap beside = besideFirst();
        return beside == null ? firstKey : beside.firstKey();
    }

    long firstNumber() {
        KeyHeap beside = besideFirst();
        return beside == null ? firstNumber : beside.firstNumber();
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
            shift();
            return;
        }
        beside.removeFirst();
        if (beside.isEmpty()) {
            outOfTurn = null;
        }
    }

    private void shift() {
        int mask = ring.length - 1;
        head = (head + 2) & mask;
        size--;
        firstKey = secondKey;
        firstNumber = secondNumber;
        int second = (head + 2) & mask;
        secondKey = ring[second];
        secondNumber = ring[second + 1];
    }

    /// Forgets all entries but those of jobs that stand here, and all but one of each job.
    void keepOnly(LongPredicate stands) {
        var kept = new Line();
        long last = 0;
        while (entries() > 0) {
            long number = firstNumber();
            if (number != last && stands.test(number)) {
                kept.append(firstKey(), number);
                last = number;
            }
            removeFirst();
        }
        ring = new long[SMALLEST];
        head = 0;
        kept.tell(
                (key, number) -> {
                    append(key, number);
                    return true;
                });
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
        boolean ringIsFirst =
                firstKey < beside.firstKey()
                        || (firstKey == beside.firstKey() && firstNumber < beside.firstNumber());
        return ringIsFirst ? null : beside;
    }

    private boolean comesBeforeLast(long key, long number) {
        return key < lastKey || (key == lastKey && number < lastNumber);
    }

    private void append(long key, long number) {
        if (size * 2 == ring.length) {
            grow();
        }
        int at = (head + size * 2) & (ring.length - 1);
        ring[at] = key;
        ring[at + 1] = number;
        lastKey = key;
        lastNumber = number;
        if (size == 0) {
            firstKey = key;
            firstNumber = number;
        } else if (size == 1) {
            secondKey = key;
            secondNumber = number;
        }
        size++;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(ring, ring.length * 2);
        // What had wrapped around the end goes behind it.
        System.arraycopy(ring, 0, larger, ring.length, head);
        ring = larger;
    }
}
