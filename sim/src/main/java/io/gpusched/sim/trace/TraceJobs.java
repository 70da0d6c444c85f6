package io.gpusched.sim.trace;

import io.gpusched.core.model.Check;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects the jobs of a trace file and the rows that could not be read.
final class TraceJobs {
    /// Makes a job of a row; null when the row is well formed and no job. Throws when it is not
    /// well formed.
    interface Row {
        @Nullable TraceJob job(String line);
    }

    /// At most this many bad rows are described.
    private static final int MOST_SHOWN = 5;

    /// Times beyond these are errors of the file, and would not fit into nanoseconds.
    private static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    private static final double MOST_SECONDS = 1e10;
    private static final Duration LONGEST = Duration.ofDays(10_000);

    private final TextLines textLines;
    private final String expected;
    private final List<TraceJob> jobs = new ArrayList<>();
    private final List<String> first = new ArrayList<>();
    private long bad;
    private long outOfOrder;
    private long leftOut;
    private Instant latest = Instant.MIN;

    /// @param expected what a row should look like, for people
    TraceJobs(TextLines textLines, String expected) {
        this.textLines = textLines;
        this.expected = expected;
    }

    /// Takes every line that is left.
    Trace readAll(Row row) {
        for (String line = textLines.next(); line != null; line = textLines.next()) {
            take(line, row);
        }
        return trace();
    }

    // Whatever is wrong with a row shows as one of many exceptions; all mean the same.
    @SuppressWarnings("CatchingUnchecked")
    void take(String line, Row row) {
        TraceJob job;
        try {
            job = row.job(line);
            if (job != null) {
                checkTimes(job);
            }
        } catch (IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException
                | ArithmeticException
                | Check.Broken
                | DateTimeException wrong) {
            bad(line, wrong);
            return;
        }
        if (job == null) {
            leftOut++;
            return;
        }
        if (job.submitted().isBefore(latest)) {
            outOfOrder++;
        } else {
            latest = job.submitted();
        }
        jobs.add(job);
    }

    private static void checkTimes(TraceJob job) {
        if (job.submitted().isBefore(EARLIEST) || job.submitted().isAfter(LATEST)) {
            throw new IllegalArgumentException("not a time between the years 1900 and 2200");
        }
        if (job.runtime().compareTo(LONGEST) > 0 || job.limit().compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("longer than " + LONGEST.toDays() + " days");
        }
    }

    private void bad(String line, RuntimeException wrong) {
        bad++;
        if (first.size() < MOST_SHOWN) {
            first.add(
                    "line %d: expected %s, found %s (%s)"
                            .formatted(textLines.number(), expected, Excerpt.of(line), why(wrong)));
        }
    }

    /// Java's own messages about numbers and times are for programmers.
    static String why(RuntimeException wrong) {
        return switch (wrong) {
            case NumberFormatException number -> "not a number";
            case DateTimeException time -> "not a time";
            case IndexOutOfBoundsException few -> "too few cells";
            case ArithmeticException large -> "a number that is too large";
            default -> Excerpt.of(String.valueOf(wrong.getMessage()));
        };
    }

    Trace trace() {
        if (jobs.isEmpty()) {
            throw new BadTrace(
                    "%s has no jobs; expected rows of %s%s"
                            .formatted(
                                    textLines.file(),
                                    expected,
                                    first.isEmpty() ? "" : "; " + first.getFirst()));
        }
        jobs.sort(Comparator.comparing(TraceJob::submitted));
        return new Trace(
                textLines.file(), jobs, new Trace.BadRows(bad, first), outOfOrder, leftOut);
    }

    /// Seconds as a time span; refuses what is negative or no number.
    static Duration seconds(String text) {
        double seconds = secondsOrUnknown(text);
        if (seconds < 0) {
            throw new IllegalArgumentException("not a number of seconds from 0 on: " + text);
        }
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    /// Seconds; negative if unknown. Refuses text that is not a number or too large.
    static double secondsOrUnknown(String text) {
        double seconds = Double.parseDouble(text.strip());
        if (!(Math.abs(seconds) < MOST_SECONDS)) {
            throw new IllegalArgumentException("not a number of seconds below 1e10: " + text);
        }
        return seconds;
    }

    /// A whole number from 0 to `most`.
    static long count(String text, long most) {
        double count = Double.parseDouble(text.strip());
        if (!(count >= 0 && count <= most) || count != Math.rint(count)) {
            throw new IllegalArgumentException(
                    "not a whole number from 0 to %d: %s".formatted(most, text));
        }
        return (long) count;
    }

    /// Thousandths of cores or MiB of memory: any amount that a node or a job could have.
    static long amount(String text) {
        return count(text, 1_000_000_000_000L);
    }
}
