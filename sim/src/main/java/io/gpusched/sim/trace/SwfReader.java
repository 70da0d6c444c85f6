package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Reads the Standard Workload Format of the Parallel Workloads Archive: 18 columns between spaces,
/// comments behind semicolons, -1 for what is not known.
///
/// A job asks for as many cores as processors were asked for or given, whichever is more. Where it
/// named no time, its limit is how long it ran. Jobs that ran for no time at all are left out.
public final class SwfReader {
    private static final String EXPECTED =
            "18 numbers: job, submit, wait, run, processors, …, requested processors, requested"
                    + " time, …";
    private static final int COLUMNS = 18;
    private static final long UNKNOWN = -1;
    private static final long UNKNOWN_RUN = 10;

    private SwfReader() {}

    /// Jobs that ran for an unknown time count as ten seconds, as published tables have it.
    public static Trace read(Path file) {
        return read(file, UNKNOWN_RUN);
    }

    /// Jobs that ran for an unknown time have none.
    public static Trace readAsWritten(Path file) {
        return read(file, 0);
    }

    private static Trace read(Path file, long unknown) {
        try (Lines lines = Lines.open(file, "a trace in the Standard Workload Format")) {
            var jobs = new Jobs(lines, EXPECTED);
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (!line.stripLeading().startsWith(";")) {
                    jobs.take(line, row -> job(row, unknown));
                }
            }
            return jobs.trace();
        }
    }

    private static @Nullable TraceJob job(String line, long unknown) {
        String[] cells = line.strip().split("\\s+", -1);
        if (cells.length < COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns");
        }
        long submit = Jobs.count(cells[1]);
        long run = (long) Double.parseDouble(cells[3]);
        long cores = Math.max(number(cells[4]), number(cells[7]));
        long requested = number(cells[8]);
        if (run < UNKNOWN) {
            throw new IllegalArgumentException("it ran for " + run + " s");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("no processors");
        }
        if (run == 0) {
            return null;
        }
        long ran = run < 0 ? unknown : run;
        return new TraceJob(
                cells[0],
                cells[11].equals("-1") ? "" : "user-" + cells[11],
                Instant.ofEpochSecond(submit),
                Duration.ofSeconds(ran),
                Duration.ofSeconds(requested < 0 ? ran : requested),
                TraceJob.Ask.ofCores(cores));
    }

    private static long number(String text) {
        return (long) Double.parseDouble(text);
    }
}
