package io.gpusched.core.scale;

import java.util.function.IntPredicate;

/// Finds the smallest size that is large enough. It tries sizes near the present one in turn, since
/// the right one is mostly there, and halves the rest. So a pool of 10,000 replicas needs about 80
/// trials. It relies on larger sizes being no worse.
final class SizeSearch {
    /// Sizes that are tried in turn.
    private static final int NEAR = 64;

    private SizeSearch() {}

    /// @param max counts as large enough
    static int up(int from, int max, IntPredicate isEnough) {
        int size = from;
        while (size < max && !isEnough.test(size)) {
            size++;
            if (size - from == NEAR) {
                return halved(size, max, isEnough);
            }
        }
        return size;
    }

    /// @param from is large enough
    static int down(int from, IntPredicate isEnough) {
        int size = from;
        while (size > 1 && isEnough.test(size - 1)) {
            size--;
            if (from - size == NEAR) {
                return halved(1, size, isEnough);
            }
        }
        return size;
    }

    private static int halved(int least, int most, IntPredicate isEnough) {
        int low = least;
        int high = most;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (isEnough.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }
}
