package io.gpusched.core.place;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/// Picks from sorted amounts: the smallest that covers the rest or, where none does, the largest.
/// Largest first needs the fewest picks. Among equals it picks the first.
///
///     8 8 5 3 2     left 14:  8, then 8 again (of 6 left; 5 would not do)
///                   left 10:  8, then 2
///     8 8 8 8       left 12:  the first 8, then the second, not the last
final class LargestFirst {
    private final int[] amounts;

    /// For each index, the first index with an equal amount.
    private final int[] firstEqual;

    private final boolean[] picked;
    private int first;

    private LargestFirst(int[] amounts, int[] firstEqual) {
        this.amounts = amounts;
        this.firstEqual = firstEqual;
        this.picked = new boolean[amounts.length];
    }

    /// @param sorted by `order`, which puts larger amounts first and treats equally good ones as
    ///        equal
    static <T> LargestFirst among(List<T> sorted, Comparator<T> order, ToIntFunction<T> amount) {
        var amounts = new int[sorted.size()];
        var firstEqual = new int[sorted.size()];
        for (int at = 0; at < amounts.length; at++) {
            amounts[at] = amount.applyAsInt(sorted.get(at));
            boolean same = at > 0 && order.compare(sorted.get(at - 1), sorted.get(at)) == 0;
            firstEqual[at] = same ? firstEqual[at - 1] : at;
        }
        return new LargestFirst(amounts, firstEqual);
    }

    /// The index of the next pick, each at most once; -1 when nothing is left.
    int next(int left) {
        while (first < picked.length && picked[first]) {
            first++;
        }
        if (first == picked.length) {
            return -1;
        }
        int at = first;
        if (amounts[first] >= left) {
            at = lastOfAtLeast(left);
            while (picked[at]) {
                at--;
            }
            at = firstEqual[at];
            while (picked[at]) {
                at++;
            }
        }
        picked[at] = true;
        return at;
    }

    private int lastOfAtLeast(int left) {
        int yes = first;
        int no = amounts.length;
        while (no - yes > 1) {
            int middle = (yes + no) >>> 1;
            if (amounts[middle] >= left) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return yes;
    }
}
