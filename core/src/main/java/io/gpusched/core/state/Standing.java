package io.gpusched.core.state;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Which class each job stands in, by job number, in pages of slots of classes.
final class Standing {
    static final int NOWHERE = -1;

    private static final int PAGE = 1024;

    /// Slots plus one, so that zero is nowhere.
    private int[] @Nullable [] pages = new int[16] @Nullable [];

    private int[] counts = new int[16];

    /// The slot of the class the job stands in, or [#NOWHERE].
    int in(long number) {
        int page = (int) (number / PAGE);
        int[] found = page < pages.length ? pages[page] : null;
        return found == null ? NOWHERE : found[(int) (number % PAGE)] - 1;
    }

    /// The job stands in the class at `slot` from now on; false when it stands in one already.
    boolean enter(long number, int slot) {
        int page = (int) (number / PAGE);
        if (page >= pages.length) {
            int larger = Math.max(page + 1, pages.length * 2);
            pages = Arrays.copyOf(pages, larger);
            counts = Arrays.copyOf(counts, larger);
        }
        int[] found = pages[page];
        if (found == null) {
            found = new int[PAGE];
            pages[page] = found;
        }
        int place = (int) (number % PAGE);
        if (found[place] != 0) {
            return false;
        }
        found[place] = slot + 1;
        counts[page]++;
        return true;
    }

    /// A job that stands in a class does so no longer.
    void leave(long number) {
        int page = (int) (number / PAGE);
        int[] found = pages[page];
        if (found != null) {
            found[(int) (number % PAGE)] = 0;
            if (--counts[page] == 0) {
                pages[page] = null;
            }
        }
    }

    void clear() {
        Arrays.fill(pages, null);
        Arrays.fill(counts, 0);
    }
}
