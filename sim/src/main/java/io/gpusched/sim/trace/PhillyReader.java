package io.gpusched.sim.trace;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// Reads the jobs of Microsoft's Philly clusters as `timestamp,duration,num_gpus,gpu_time,cluster`.
/// The virtual cluster is the tenant. The trace does not name its time zone, so times are read as
/// UTC, and does not keep limits, so there are none.
public final class PhillyReader {
    private static final List<String> COLUMNS =
            List.of("timestamp", "duration", "num_gpus", "cluster");
    private static final String EXPECTED = "timestamp,duration,num_gpus,gpu_time,cluster";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    /// More than any cluster has.
    private static final int MOST_GPUS = 100_000;

    private PhillyReader() {}

    public static Trace read(Path file) {
        try (TextLines textLines =
                TextLines.open(file, "Philly jobs, a CSV file with " + EXPECTED)) {
            var columns = new Columns(textLines, COLUMNS);
            return new TraceJobs(textLines, EXPECTED).readAll(line -> job(line, columns));
        }
    }

    private static TraceJob job(String line, Columns columns) {
        String[] cells = line.split(",", -1);
        int gpus = (int) TraceJobs.count(columns.cell(cells, "num_gpus"), MOST_GPUS);
        var runtime = TraceJobs.seconds(columns.cell(cells, "duration"));
        if (gpus < 1) {
            throw new IllegalArgumentException("a Philly job has GPUs, found " + gpus);
        }
        if (runtime.isZero()) {
            throw new IllegalArgumentException("a Philly job runs for some time, found 0");
        }
        return new TraceJob(
                "philly",
                columns.cell(cells, "cluster"),
                LocalDateTime.parse(columns.cell(cells, "timestamp"), TIME)
                        .toInstant(ZoneOffset.UTC),
                runtime,
                Duration.ZERO,
                TraceJob.Ask.ofGpus(gpus));
    }
}
