package io.gpusched.core.queue;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Which class each job waits in and which job is behind it in the queue, by job number, in pages.
///
/// The queues of all classes are chained through here instead of each having an array: a job that
/// arrives writes to its own entry and to that of the job before it, a job that leaves clears its
/// own and reads that of the next. Such accesses are most of the cost of a queue, because most of
/// these entries are in no cache. A write does not stall the processor, a read does: so appending a
/// job and leaving from the front write without reading what is there.
final class QueueLinks {
    static final int NOWHERE = -1;

    private static final int PAGE = 1024;

    /// The words of a job's entry: the key of the job behind it, in two halves; the difference
    /// between that job's number and its own; and where it waits itself: the slot of its class plus
    /// one, and whether it is part of a chain.
    private static final int WORDS = 4;

    private static final int LOW_HALF = 1;
    private static final int BEHIND = 2;
    private static final int STANDS = 3;

    private static final int CHAINED = Integer.MIN_VALUE;

    private int[] @Nullable [] pages = new int[16] @Nullable [];

    /// The number of entries of a page in use.
    private int[] counts = new int[16];

    /// An empty page, kept for the next one needed: where the queue keeps running empty, that would
    /// be every job. All its entries are clear.
    private int @Nullable [] spare;

    /// The slot of the class the job waits in, or [#NOWHERE].
    int in(long number) {
        int index = index(number);
        int[] page = index < pages.length ? pages[index] : null;
        return page == null ? NOWHERE : (page[place(number) + STANDS] & ~CHAINED) - 1;
    }

    /// Puts the job into the class at `slot`; false when it waits in one already.
    boolean enter(long number, int slot) {
        return set(number, ~CHAINED, slot + 1);
    }

    /// Removes a job from its class. It may still be part of a chain.
    void leave(long number) {
        unset(number, ~CHAINED);
    }

    /// Makes the job the end of a chain; false when it is part of one already.
    boolean chain(long number) {
        return set(number, CHAINED, CHAINED);
    }

    /// Removes a job from its chain. It may still wait in a class.
    void unchain(long number) {
        unset(number, CHAINED);
    }

    /// Removes a job from its class and its chain.
    void forget(long number) {
        page(number)[place(number) + STANDS] = 0;
        countDown(index(number));
    }

    /// Whether one job can be chained behind another.
    static boolean isNear(long before, long behind) {
        return behind - before == (int) (behind - before);
    }

    /// Puts the job with this key behind another, which was the end of its chain.
    void follow(long before, long key, long number) {
        int[] page = page(before);
        int place = place(before);
        page[place] = (int) (key >> 32);
        page[place + LOW_HALF] = (int) key;
        page[place + BEHIND] = (int) (number - before);
    }

    /// The key of the job behind; undefined at the end of a chain.
    long keyBehind(long number) {
        int[] page = page(number);
        int place = place(number);
        return (long) page[place] << 32 | page[place + LOW_HALF] & 0xFFFF_FFFFL;
    }

    /// The job behind; undefined at the end of a chain.
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

    /// Sets some of the bits of where a job waits; false when any of these is set already.
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
            throw new IllegalStateException("job " + number + " is not in the queue");
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
