package io.gpusched.core.place;

/// Picks from amounts that are sorted, the largest first: the last and so the smallest that takes
/// all that is left or, where none does, the largest. Largest first is what makes the fewest.
///
///     8 8 5 3 2   left 14:  8, then 8 again (of 6 left; 5 would not do)
///                 left 10:  8, then 2
final class Picks {
    private final int[] amounts;
    private final boolean[] gone;
    private int first;

    Picks(int[] amounts) {
        this.amounts = amounts;
        this.gone = new boolean[amounts.length];
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
