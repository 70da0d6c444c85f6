package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// A job's number, given by the ledger in order of submission and never used again.
public record JobId(long number) implements Comparable<JobId> {
    private static final String PREFIX = "job-";

    public JobId {
        Check.that(number > 0, "a job number is positive, found %s", number);
    }

    /// Reads `job-17`; null when `text` is not of that form.
    public static @Nullable JobId parse(String text) {
        if (!text.startsWith(PREFIX) || text.length() == PREFIX.length() || text.length() > 23) {
            return null;
        }
        long number = 0;
        for (int i = PREFIX.length(); i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return null;
            }
            number = number * 10 + digit;
        }
        return number > 0 ? new JobId(number) : null;
    }

    @Override
    public int compareTo(JobId other) {
        return Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return PREFIX + number;
    }
}
