package io.gpusched.core.queue;

import java.util.Arrays;

/// A heap of (key, job number), smallest first, in two plain arrays.
///
/// Four children per parent instead of two: the tree is half as deep and the children of one parent
/// share a cache line, which at a million entries is worth more than the two extra comparisons.
public final class KeyHeap {
    private static final int CHILDREN = 4;

    private static final long[] NONE = new long[0];

    private long[] keys = NONE;
    private long[] numbers = NONE;
    private int size;

    int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public long firstKey() {
        return keys[0];
    }

    public long firstNumber() {
        return numbers[0];
    }

    void forEach(ClassQueue.Visitor visitor) {
        for (int at = 0; at < size; at++) {
            visitor.visit(keys[at], numbers[at]);
        }
    }

    public void add(long key, long number) {
        if (size == keys.length) {
            int larger = Math.max(8, size + (size >> 1));
            keys = Arrays.copyOf(keys, larger);
            numbers = Arrays.copyOf(numbers, larger);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            if (!before(key, number, parent)) {
                break;
            }
            keys[at] = keys[parent];
            numbers[at] = numbers[parent];
            at = parent;
        }
        keys[at] = key;
        numbers[at] = number;
    }

    public void removeFirst() {
        size--;
        long key = keys[size];
        long number = numbers[size];
        int at = 0;
        while (true) {
            int child = smallestChild(at);
            if (child < 0 || before(key, number, child)) {
                break;
            }
            keys[at] = keys[child];
            numbers[at] = numbers[child];
            at = child;
        }
        keys[at] = key;
        numbers[at] = number;
        shrinkWhenMostlyEmpty();
    }

    void clear() {
        size = 0;
        keys = NONE;
        numbers = NONE;
    }

    private void shrinkWhenMostlyEmpty() {
        if (keys.length > 1024 && size < keys.length / 4) {
            keys = Arrays.copyOf(keys, keys.length / 2);
            numbers = Arrays.copyOf(numbers, numbers.length / 2);
        }
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
}
