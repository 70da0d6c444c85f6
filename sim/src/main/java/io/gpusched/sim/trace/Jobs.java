package io.gpusched.sim.trace;

import io.gpusched.core.model.Check;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects the jobs of a file, and what could not be read of it.
final class Jobs {
    /// Makes a job of a row; null when the row is well formed and no job. Throws when it is not
    /// well formed.
    interface Row {
        @Nullable TraceJob job(String line);
    }

    /// So many bad rows are described.
    private static final int MOST_SHOWN = 5;

    /// So much of a bad row is shown.
    private static final int MOST_CHARACTERS = 80;

    private final Lines lines;
    private final String expected;
    private final List<TraceJob> jobs = new ArrayList<>();
    private final List<String> first = new ArrayList<>();
    private long bad;
    private long outOfOrder;
    private long leftOut;
    private Instant latest = Instant.MIN;

    /// @param expected what a row should look like, for people
    Jobs(Lines lines, String expected) {
        this.lines = lines;
        this.expected = expected;
    }

    /// Takes every line that is left.
    Trace readAll(Row row) {
        for (String line = lines.next(); line != null; line = lines.next()) {
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

    private void bad(String line, RuntimeException wrong) {
        bad++;
        if (first.size() < MOST_SHOWN) {
            String shown =
                    line.length() > MOST_CHARACTERS
                            ? line.substring(0, MOST_CHARACTERS) + "…"
                            : line;
            first.add(
                    "line %d: expected %s, found %s (%s)"
                            .formatted(lines.number(), expected, shown, why(wrong)));
        }
    }

    /// What Java says about numbers and times is for programmers.
    static String why(RuntimeException wrong) {
        return switch (wrong) {
            case NumberFormatException number -> "not a number";
            case DateTimeException time -> "not a time";
            case IndexOutOfBoundsException few -> "too few cells";
            case ArithmeticException large -> "a number that is too large";
            default -> String.valueOf(wrong.getMessage());
        };
    }

    Trace trace() {
        if (jobs.isEmpty()) {
            throw new BadTrace(
                    "%s has no jobs; expected rows of %s%s"
                            .formatted(
                                    lines.file(),
                                    expected,
                                    first.isEmpty() ? "" : "; " + first.getFirst()));
        }
        jobs.sort(Comparator.comparing(TraceJob::submitted));
        return new Trace(lines.file(), jobs, new Trace.BadRows(bad, first), outOfOrder, leftOut);
    }

    /// Seconds as a time span; refuses what is negative or no number.
    static Duration seconds(String text) {
        double seconds = Double.parseDouble(text.strip());
        if (!(seconds >= 0 && seconds < 1e10)) {
            throw new IllegalArgumentException("not a number of seconds from 0 on: " + text);
        }
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    /// A whole number that is not negative.
    static long count(String text) {
        double count = Double.parseDouble(text.strip());
        if (!(count >= 0 && count < 1e15) || count != Math.rint(count)) {
            throw new IllegalArgumentException("not a whole number from 0 on: " + text);
        }
        return (long) count;
    }
}
