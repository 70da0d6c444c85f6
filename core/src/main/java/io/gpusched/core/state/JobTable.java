package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.queue.JobsByNumber;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/// Jobs by number, in pages.
///
/// Numbers are assigned in order, so a job's page and index follow from its number and no hashing
/// is needed. A page that was published to readers is copied before it changes: a snapshot of a
/// million jobs costs a copy of the page directory, and a change after it costs one page.
///
/// Each page marks which of its jobs wait, and the directory marks which pages have such jobs: a
/// reader that wants the waiting jobs does not look at the others.
public final class JobTable implements JobsByNumber {
    private static final int PAGE = 256;

    private static final class Page {
        final @Nullable Job[] jobs;

        /// One bit for each job that waits.
        final long[] waiting;

        Page() {
            this(new @Nullable Job[PAGE], new long[PAGE / Long.SIZE]);
        }

        private Page(@Nullable Job[] jobs, long[] waiting) {
            this.jobs = jobs;
            this.waiting = waiting;
        }

        Page copy() {
            return new Page(jobs.clone(), waiting.clone());
        }

        void mark(int place, boolean waits) {
            JobTable.mark(waiting, place, waits);
        }

        boolean hasWaiting() {
            for (long word : waiting) {
                if (word != 0) {
                    return true;
                }
            }
            return false;
        }

        void forEachWaiting(Consumer<Job> visitor) {
            for (int word = 0; word < waiting.length; word++) {
                for (long bits = waiting[word]; bits != 0; bits &= bits - 1) {
                    int place = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                    visitor.accept(Objects.requireNonNull(jobs[place]));
                }
            }
        }
    }

    private @Nullable Page[] pages = new @Nullable Page[16];

    /// One bit for each page with a job that waits.
    private long[] waiting = new long[1];

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

    @Override
    public @Nullable Job job(long number) {
        long index = number / PAGE - base;
        if (number <= 0 || index < 0 || index >= pages.length) {
            return null;
        }
        Page found = pages[(int) index];
        return found == null ? null : found.jobs[(int) (number % PAGE)];
    }

    /// Visits every waiting job, the smallest number first. Returns how many pages and marks of
    /// pages it read: about as many as there are pages with waiting jobs.
    public long forEachWaiting(Consumer<Job> visitor) {
        long read = waiting.length;
        for (int word = 0; word < waiting.length; word++) {
            for (long bits = waiting[word]; bits != 0; bits &= bits - 1) {
                int index = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                Objects.requireNonNull(pages[index]).forEachWaiting(visitor);
                read++;
            }
        }
        return read;
    }

    /// A table that shares all pages and never changes. It may be read by any thread once it has
    /// been safely published.
    public JobTable snapshot() {
        var copy = new JobTable();
        copy.pages = pages;
        copy.waiting = waiting;
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
        Page page = writable(number / PAGE);
        int place = (int) (number % PAGE);
        int index = (int) (number / PAGE - base);
        if (page.jobs[place] == null) {
            jobs++;
            counts[index]++;
        }
        page.jobs[place] = job;
        mark(page, index, place, job.waiting());
        last = Math.max(last, number);
    }

    /// Marks numbers up to `number` as used, even if their jobs are gone.
    void skipTo(long number) {
        last = Math.max(last, number);
    }

    void remove(long number) {
        Page page = writable(number / PAGE);
        int index = (int) (number / PAGE - base);
        int place = (int) (number % PAGE);
        if (page.jobs[place] != null) {
            jobs--;
            counts[index]--;
            page.jobs[place] = null;
            mark(page, index, place, false);
        }
        if (counts[index] == 0 && last / PAGE > number / PAGE) {
            pages[index] = null;
            while (first / PAGE < last / PAGE && pages[(int) (first / PAGE - base)] == null) {
                first = (first / PAGE + 1) * PAGE;
            }
            forgetOldPages();
        }
    }

    private void mark(Page page, int index, int place, boolean waits) {
        page.mark(place, waits);
        mark(waiting, index, waits || page.hasWaiting());
    }

    private static void mark(long[] marks, int at, boolean wanted) {
        long bit = 1L << at;
        int word = at / Long.SIZE;
        marks[word] = wanted ? marks[word] | bit : marks[word] & ~bit;
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
            waiting = new long[words(pages.length)];
            for (int index = 0; index < pages.length; index++) {
                Page page = pages[index];
                mark(waiting, index, page != null && page.hasWaiting());
            }
        }
    }

    private static int words(int directory) {
        return (directory + Long.SIZE - 1) / Long.SIZE;
    }

    private Page writable(long number) {
        if (directoryShared) {
            pages = pages.clone();
            waiting = waiting.clone();
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
            waiting = Arrays.copyOf(waiting, words(larger));
        }
        Page page = pages[index];
        if (page == null) {
            page = new Page();
            pages[index] = page;
            shared[index] = false;
        } else if (shared[index]) {
            page = page.copy();
            pages[index] = page;
            shared[index] = false;
        }
        return page;
    }
}
