package io.gpusched.core.state;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Jobs by number, in pages.
///
/// Numbers are assigned in order, so a job's page and index follow from its number and no hashing
/// is needed. A page that was published to readers is copied before it changes: a snapshot of a
/// million jobs costs a copy of the page directory, and a change after it costs one page.
public final class JobTable {
    private static final int PAGE = 256;

    private @Nullable Job[] @Nullable [] pages = new @Nullable Job[16] @Nullable [];
    private boolean[] shared = new boolean[16];
    private int[] counts = new int[16];
    private boolean directoryShared;
    private long base;
    private long first;
    private long last;
    private int jobs;

    /// How many jobs there are.
    public int size() {
        return jobs;
    }

    /// The largest number ever stored; 0 when there was none.
    public long last() {
        return last;
    }

    /// The smallest number that may still be here.
    public long first() {
        return Math.max(1, first);
    }

    public @Nullable Job job(long number) {
        long page = number / PAGE - base;
        if (number <= 0 || page < 0 || page >= pages.length) {
            return null;
        }
        @Nullable Job[] found = pages[(int) page];
        return found == null ? null : found[(int) (number % PAGE)];
    }

    /// A table that shares all pages and never changes. It may be read by any thread once it has
    /// been safely published.
    public JobTable snapshot() {
        var copy = new JobTable();
        copy.pages = pages;
        copy.shared = shared;
        copy.directoryShared = true;
        copy.base = base;
        copy.first = first;
        copy.last = last;
        copy.jobs = jobs;
        directoryShared = true;
        return copy;
    }

    void put(Job job) {
        long number = job.id().number();
        @Nullable Job[] page = writable(number / PAGE);
        int place = (int) (number % PAGE);
        if (page[place] == null) {
            jobs++;
            counts[(int) (number / PAGE - base)]++;
        }
        page[place] = job;
        last = Math.max(last, number);
    }

    /// Marks numbers up to `number` as used, even if their jobs are gone.
    void skipTo(long number) {
        last = Math.max(last, number);
    }

    void remove(long number) {
        long index = number / PAGE;
        @Nullable Job[] page = writable(index);
        int place = (int) (index - base);
        if (page[(int) (number % PAGE)] != null) {
            jobs--;
            counts[place]--;
            page[(int) (number % PAGE)] = null;
        }
        if (counts[place] == 0 && last / PAGE > index) {
            pages[place] = null;
            while (first / PAGE < last / PAGE && pages[(int) (first / PAGE - base)] == null) {
                first = (first / PAGE + 1) * PAGE;
            }
            forgetOldPages();
        }
    }

    /// Drops the front of the directory once half of it is unused: its size follows the jobs that
    /// are kept, not all that ever were.
    private void forgetOldPages() {
        int gone = (int) (first / PAGE - base);
        if (gone > 1024 && gone > pages.length / 2) {
            pages = Arrays.copyOfRange(pages, gone, pages.length);
            shared = Arrays.copyOfRange(shared, gone, shared.length);
            counts = Arrays.copyOfRange(counts, gone, counts.length);
            base += gone;
        }
    }

    private @Nullable Job[] writable(long number) {
        if (directoryShared) {
            pages = pages.clone();
            shared = new boolean[pages.length];
            Arrays.fill(shared, true);
            directoryShared = false;
        }
        if (jobs == 0 && number > base + pages.length) {
            base = number;
            first = number * PAGE;
        }
        int index = (int) (number - base);
        if (index >= pages.length) {
            int larger = Math.max(index + 1, pages.length * 2);
            pages = Arrays.copyOf(pages, larger);
            shared = Arrays.copyOf(shared, larger);
            counts = Arrays.copyOf(counts, larger);
        }
        @Nullable Job[] page = pages[index];
        if (page == null) {
            page = new @Nullable Job[PAGE];
            pages[index] = page;
            shared[index] = false;
        } else if (shared[index]) {
            page = page.clone();
            pages[index] = page;
            shared[index] = false;
        }
        return page;
    }
}
