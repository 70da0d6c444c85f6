package io.gpusched.core.state;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Which class each job stands in, by job number, in pages.
final class Standing {
    private static final int PAGE = 1024;

    private @Nullable WaitClass[] @Nullable [] pages = new @Nullable WaitClass[16] @Nullable [];
    private int[] counts = new int[16];

    /// The class the job stands in; null when it stands in none.
    @Nullable WaitClass in(long number) {
        int page = (int) (number / PAGE);
        @Nullable WaitClass[] found = page < pages.length ? pages[page] : null;
        return found == null ? null : found[(int) (number % PAGE)];
    }

    void enter(long number, WaitClass one) {
        int page = (int) (number / PAGE);
        if (page >= pages.length) {
            int larger = Math.max(page + 1, pages.length * 2);
            pages = Arrays.copyOf(pages, larger);
            counts = Arrays.copyOf(counts, larger);
        }
        @Nullable WaitClass[] found = pages[page];
        if (found == null) {
            found = new @Nullable WaitClass[PAGE];
            pages[page] = found;
        }
        found[(int) (number % PAGE)] = one;
        counts[page]++;
    }

    /// The class the job stood in until now; null when it stood in none.
    @Nullable WaitClass leave(long number) {
        WaitClass one = in(number);
        if (one != null) {
            int page = (int) (number / PAGE);
            @Nullable WaitClass[] found = pages[page];
            if (found != null) {
                found[(int) (number % PAGE)] = null;
            }
            if (--counts[page] == 0) {
                pages[page] = null;
            }
        }
        return one;
    }

    void clear() {
        Arrays.fill(pages, null);
        Arrays.fill(counts, 0);
    }
}
