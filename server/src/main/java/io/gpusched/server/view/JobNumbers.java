package io.gpusched.server.view;

import io.gpusched.core.state.JobTable;

import java.util.Arrays;

/// The numbers of one tenant's jobs, in the order in which they came. One thread adds; any thread
/// reads a [Numbers] that was published to it.
///
/// Numbers are only ever added behind those that readers have, so readers share the array. Numbers
/// of jobs that the ledger has forgotten stay until they are half of all.
public final class JobNumbers {
    private static final int FEW = 64;

    /// The numbers as they were at one moment, some perhaps of jobs that are gone.
    public static final class Numbers {
        static final Numbers NONE = new Numbers(new long[0], 0);

        private final long[] all;
        private final int size;

        private Numbers(long[] all, int size) {
            this.all = all;
            this.size = size;
        }

        int size() {
            return size;
        }

        long at(int place) {
            return all[place];
        }
    }

    private long[] all = new long[4];
    private int size;
    private int gone;

    void add(long number) {
        if (size == all.length) {
            all = Arrays.copyOf(all, 2 * size);
        }
        all[size++] = number;
    }

    /// One of the jobs is no longer in the table.
    void forget(JobTable present) {
        if (++gone <= FEW || gone <= size / 2) {
            return;
        }
        var kept = new long[Math.max(4, size - gone)];
        int count = 0;
        for (int place = 0; place < size; place++) {
            if (present.job(all[place]) != null) {
                kept = count == kept.length ? Arrays.copyOf(kept, 2 * count) : kept;
                kept[count++] = all[place];
            }
        }
        all = kept;
        size = count;
        gone = 0;
    }

    Numbers numbers() {
        return new Numbers(all, size);
    }
}
