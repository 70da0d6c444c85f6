package io.gpusched.core.state;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Classes of waiting jobs, the one with the smallest head first. A class knows its place, so that
/// it can be taken out from anywhere.
///
/// Keys are kept beside the classes in plain arrays: comparing two places touches no object.
final class ClassHeap {
    private static final int CHILDREN = 4;

    private @Nullable WaitClass[] classes = new @Nullable WaitClass[16];
    private long[] keys = new long[16];
    private long[] numbers = new long[16];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /// The class with the smallest head; null when there is none.
    @Nullable WaitClass first() {
        return size == 0 ? null : classes[0];
    }

    void add(WaitClass one) {
        if (size == classes.length) {
            classes = Arrays.copyOf(classes, size * 2);
            keys = Arrays.copyOf(keys, size * 2);
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        size++;
        up(size - 1, one);
    }

    void remove(WaitClass one) {
        int at = one.place;
        one.place = -1;
        size--;
        WaitClass last = classes[size];
        classes[size] = null;
        if (last != null && last != one) {
            move(at, last);
        }
    }

    /// The head of `one` changed.
    void moved(WaitClass one) {
        move(one.place, one);
    }

    private void move(int at, WaitClass one) {
        int parent = (at - 1) / CHILDREN;
        if (at > 0 && before(one.headKey, one.headNumber, parent)) {
            up(at, one);
        } else {
            down(at, one);
        }
    }

    private void up(int from, WaitClass one) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            if (!before(one.headKey, one.headNumber, parent)) {
                break;
            }
            copy(parent, at);
            at = parent;
        }
        set(at, one);
    }

    private void down(int from, WaitClass one) {
        int at = from;
        while (true) {
            int child = smallestChild(at);
            if (child < 0 || before(one.headKey, one.headNumber, child)) {
                break;
            }
            copy(child, at);
            at = child;
        }
        set(at, one);
    }

    private int smallestChild(int parent) {
        int first = parent * CHILDREN + 1;
        if (first >= size) {
            return -1;
        }
        int best = first;
        int end = Math.min(first + CHILDREN, size);
        for (int child = first + 1; child < end; child++) {
            if (before(keys[child], numbers[child], best)) {
                best = child;
            }
        }
        return best;
    }

    private boolean before(long key, long number, int at) {
        return key < keys[at] || (key == keys[at] && number < numbers[at]);
    }

    private void copy(int from, int to) {
        WaitClass one = classes[from];
        classes[to] = one;
        keys[to] = keys[from];
        numbers[to] = numbers[from];
        if (one != null) {
            one.place = to;
        }
    }

    private void set(int at, WaitClass one) {
        classes[at] = one;
        keys[at] = one.headKey;
        numbers[at] = one.headNumber;
        one.place = at;
    }
}
