package io.gpusched.core.place;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/// Picks from amounts that are sorted, the largest first: the smallest that takes all that is left
/// or, where none does, the largest. Largest first is what makes the fewest. Of several that are
/// equal it picks the first.
///
///     8 8 5 3 2     left 14:  8, then 8 again (of 6 left; 5 would not do)
///                   left 10:  8, then 2
///     8 8 8 8       left 12:  the first 8, then the second, not the last
final class LargestFirst {
    private final int[] amounts;

    /// For each, the first of those that are equal to it.
    private final int[] firstEqual;

    private final boolean[] gone;
    private int first;

    private LargestFirst(int[] amounts, int[] firstEqual) {
        this.amounts = amounts;
        this.firstEqual = firstEqual;
        this.gone = new boolean[amounts.length];
    }

    /// @param sorted by `order`, which puts larger amounts first and calls equal what is equally
    ///        good
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

    /// The next pick, which is not picked again; -1 when nothing is there any more.
    int next(int left) {
        while (first < gone.length && gone[first]) {
            first++;
        }
        if (first == gone.length) {
            return -1;
        }
        int at = first;
        if (amounts[first] >= left) {
            at = lastOfAtLeast(left);
            while (gone[at]) {
                at--;
            }
            at = firstEqual[at];
            while (gone[at]) {
                at++;
            }
        }
        gone[at] = true;
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
