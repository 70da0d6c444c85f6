package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Reads the Standard Workload Format of the Parallel Workloads Archive: 18 columns between spaces,
/// comments behind semicolons, -1 for what is not known.
///
/// A job asks for as many cores as processors were asked for or given, whichever is more. Where it
/// named no time, its limit is how long it ran. Jobs that ran for no time at all are left out. A
/// negative number means that the value is not known.
public final class SwfReader {
    private static final String EXPECTED =
            "18 numbers: job, submit, wait, run, processors, …, requested processors, requested"
                    + " time, …";
    private static final int COLUMNS = 18;
    private static final long LATEST_SUBMISSION = 10_000_000_000L;
    private static final long MOST_CORES = 1_000_000_000;
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
        try (TextLines textLines =
                TextLines.open(file, "a trace in the Standard Workload Format")) {
            var traceJobs = new TraceJobs(textLines, EXPECTED);
            for (String line = textLines.next(); line != null; line = textLines.next()) {
                if (!line.stripLeading().startsWith(";")) {
                    traceJobs.take(line, row -> job(row, unknown));
                }
            }
            return traceJobs.trace();
        }
    }

    private static @Nullable TraceJob job(String line, long unknown) {
        String[] cells = line.strip().split("\\s+", -1);
        if (cells.length < COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns");
        }
        var submitted = Instant.ofEpochSecond(TraceJobs.count(cells[1], LATEST_SUBMISSION));
        double run = TraceJobs.secondsOrUnknown(cells[3]);
        long cores = Math.max(cores(cells[4]), cores(cells[7]));
        long requested = (long) TraceJobs.secondsOrUnknown(cells[8]);
        if (cores < 1) {
            throw new IllegalArgumentException("no processors");
        }
        if (run >= 0 && run < 1) {
            return null;
        }
        long ran = run < 0 ? unknown : (long) run;
        return new TraceJob(
                cells[0],
                cells[11].equals("-1") ? "" : "user-" + cells[11],
                submitted,
                Duration.ofSeconds(ran),
                Duration.ofSeconds(requested < 0 ? ran : requested),
                TraceJob.Ask.ofCores(cores));
    }

    private static long cores(String text) {
        double cores = Double.parseDouble(text);
        if (!(Math.abs(cores) <= MOST_CORES)) {
            throw new IllegalArgumentException("not a number of processors: " + text);
        }
        return (long) cores;
    }
}
