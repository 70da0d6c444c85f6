package io.gpusched.core.queue;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Which class each job stands in and who comes behind it in line, by job number, in pages.
///
/// The lines of all classes are chained through here instead of each having an array: one that
/// comes writes to its own place and to that of the job before it, one that leaves clears its own
/// and looks into that of the next. Such visits are most of what a queue costs, because most of
/// these places are in no cache. To write there costs nobody time, to read does: so coming behind
/// somebody and leaving from the top write without looking at what is there.
final class QueueLinks {
    static final int NOWHERE = -1;

    private static final int PAGE = 1024;

    /// The words a job has: the key of the one behind it, in two halves; the difference between
    /// that one's number and its own; and where it stands itself: the slot of its class plus one,
    /// and whether it is part of a chain.
    private static final int WORDS = 4;

    private static final int LOW_HALF = 1;
    private static final int BEHIND = 2;
    private static final int STANDS = 3;

    private static final int CHAINED = Integer.MIN_VALUE;

    private int[] @Nullable [] pages = new int[16] @Nullable [];

    /// On how many places of a page somebody stands or is chained.
    private int[] counts = new int[16];

    /// A page that nobody is on any more, for the next that is needed: where the line keeps running
    /// empty, that would be every job. All on it say that they stand nowhere.
    private int @Nullable [] spare;

    /// The slot of the class the job stands in, or [#NOWHERE].
    int in(long number) {
        int index = index(number);
        int[] page = index < pages.length ? pages[index] : null;
        return page == null ? NOWHERE : (page[place(number) + STANDS] & ~CHAINED) - 1;
    }

    /// The job stands in the class at `slot` from now on; false when it stands in one already.
    boolean enter(long number, int slot) {
        return set(number, ~CHAINED, slot + 1);
    }

    /// A job that stands in a class does so no longer. It may still be part of a chain.
    void leave(long number) {
        unset(number, ~CHAINED);
    }

    /// The job becomes the end of a chain; false when it is part of one already.
    boolean chain(long number) {
        return set(number, CHAINED, CHAINED);
    }

    /// A job that is part of a chain is so no longer. It may still stand in a class.
    void unchain(long number) {
        unset(number, CHAINED);
    }

    /// A job that stands in a class and is part of its chain is so no longer.
    void forget(long number) {
        page(number)[place(number) + STANDS] = 0;
        countDown(index(number));
    }

    /// Whether one job can be chained behind another.
    static boolean isNear(long before, long behind) {
        return behind - before == (int) (behind - before);
    }

    /// The job with this key comes behind another, which was the end of its chain.
    void follow(long before, long key, long number) {
        int[] page = page(before);
        int place = place(before);
        page[place] = (int) (key >> 32);
        page[place + LOW_HALF] = (int) key;
        page[place + BEHIND] = (int) (number - before);
    }

    /// The key of who comes behind; of no meaning at the end of a chain.
    long keyBehind(long number) {
        int[] page = page(number);
        int place = place(number);
        return (long) page[place] << 32 | page[place + LOW_HALF] & 0xFFFF_FFFFL;
    }

    /// Who comes behind; of no meaning at the end of a chain.
    long behind(long number) {
        return number + page(number)[place(number) + BEHIND];
    }

    void clear() {
        Arrays.fill(pages, null);
        Arrays.fill(counts, 0);
    }

    /// How many pages are kept for jobs.
    int pages() {
        int kept = 0;
        for (int[] page : pages) {
            kept += page == null ? 0 : 1;
        }
        return kept;
    }

    /// Sets some of the bits that say where a job stands; false when any of these is set already.
    private boolean set(long number, int among, int bits) {
        int[] page = made(index(number));
        int place = place(number) + STANDS;
        int stands = page[place];
        if ((stands & among) != 0) {
            return false;
        }
        if (stands == 0) {
            counts[index(number)]++;
        }
        page[place] = stands | bits;
        return true;
    }

    private void unset(long number, int bits) {
        int[] page = page(number);
        int place = place(number) + STANDS;
        int stands = page[place];
        page[place] = stands & ~bits;
        if (stands != 0 && page[place] == 0) {
            countDown(index(number));
        }
    }

    private void countDown(int index) {
        if (--counts[index] == 0) {
            spare = pages[index];
            pages[index] = null;
        }
    }

    private static int index(long number) {
        return (int) (number / PAGE);
    }

    private static int place(long number) {
        return (int) (number % PAGE) * WORDS;
    }

    private int[] page(long number) {
        int[] page = pages[index(number)];
        if (page == null) {
            throw new IllegalStateException("job " + number + " does not stand in line");
        }
        return page;
    }

    private int[] made(int index) {
        if (index >= pages.length) {
            int larger = Math.max(index + 1, pages.length * 2);
            pages = Arrays.copyOf(pages, larger);
            counts = Arrays.copyOf(counts, larger);
        }
        int[] page = pages[index];
        if (page == null) {
            page = spare == null ? new int[PAGE * WORDS] : spare;
            spare = null;
            pages[index] = page;
        }
        return page;
    }
}
