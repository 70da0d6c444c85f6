package io.gpusched.core.state;

import java.util.Arrays;

/// The jobs of one class in order of their keys.
///
/// Jobs of one class have one priority, so they nearly always come in the order they leave: those
/// are simply appended to a ring. The few that come out of turn (a job that is queued again keeps
/// its age) go to a small heap beside it.
final class Line {
    private long[] ring = new long[16];
    private int head;
    private int size;
    private final KeyHeap outOfTurn = new KeyHeap();

    boolean isEmpty() {
        return size == 0 && outOfTurn.isEmpty();
    }

    long firstKey() {
        return headIsFirst() ? ring[head] : outOfTurn.firstKey();
    }

    long firstNumber() {
        return headIsFirst() ? ring[head + 1] : outOfTurn.firstNumber();
    }

    void add(long key, long number) {
        if (size > 0 && comesBeforeLast(key, number)) {
            outOfTurn.add(key, number);
            return;
        }
        if (size * 2 == ring.length) {
            grow();
        }
        int at = (head + size * 2) & (ring.length - 1);
        ring[at] = key;
        ring[at + 1] = number;
        size++;
    }

    void removeFirst() {
        if (headIsFirst()) {
            head = (head + 2) & (ring.length - 1);
            size--;
        } else {
            outOfTurn.removeFirst();
        }
    }

    void clear() {
        head = 0;
        size = 0;
        ring = ring.length > 1024 ? new long[16] : ring;
        outOfTurn.clear();
    }

    private boolean headIsFirst() {
        if (outOfTurn.isEmpty()) {
            return true;
        }
        if (size == 0) {
            return false;
        }
        long key = ring[head];
        return key < outOfTurn.firstKey()
                || (key == outOfTurn.firstKey() && ring[head + 1] < outOfTurn.firstNumber());
    }

    private boolean comesBeforeLast(long key, long number) {
        int last = (head + size * 2 - 2) & (ring.length - 1);
        return key < ring[last] || (key == ring[last] && number < ring[last + 1]);
    }

    private void grow() {
        long[] larger = Arrays.copyOf(ring, ring.length * 2);
        // What had wrapped around the end goes behind it.
        System.arraycopy(ring, 0, larger, ring.length, head);
        ring = larger;
    }
}
