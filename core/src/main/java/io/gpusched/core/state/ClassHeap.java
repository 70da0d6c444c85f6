package io.gpusched.core.state;

import java.util.ArrayList;
import java.util.List;

/// Classes of waiting jobs, the one with the smallest head first. A class knows its place, so that
/// it can be taken out from anywhere.
final class ClassHeap {
    private final List<WaitClass> heap = new ArrayList<>();

    boolean isEmpty() {
        return heap.isEmpty();
    }

    WaitClass first() {
        return heap.getFirst();
    }

    void add(WaitClass one) {
        one.place = heap.size();
        heap.add(one);
        up(one.place);
    }

    void remove(WaitClass one) {
        int at = one.place;
        WaitClass last = heap.removeLast();
        one.place = -1;
        if (last != one) {
            heap.set(at, last);
            last.place = at;
            up(at);
            down(last.place);
        }
    }

    /// The head of `one` changed.
    void moved(WaitClass one) {
        up(one.place);
        down(one.place);
    }

    private void up(int from) {
        int at = from;
        WaitClass one = heap.get(at);
        while (at > 0 && one.before(heap.get((at - 1) / 2))) {
            set(at, heap.get((at - 1) / 2));
            at = (at - 1) / 2;
        }
        set(at, one);
    }

    private void down(int from) {
        int at = from;
        WaitClass one = heap.get(at);
        while (true) {
            int child = 2 * at + 1;
            if (child + 1 < heap.size() && heap.get(child + 1).before(heap.get(child))) {
                child++;
            }
            if (child >= heap.size() || !heap.get(child).before(one)) {
                break;
            }
            set(at, heap.get(child));
            at = child;
        }
        set(at, one);
    }

    private void set(int at, WaitClass one) {
        heap.set(at, one);
        one.place = at;
    }
}
