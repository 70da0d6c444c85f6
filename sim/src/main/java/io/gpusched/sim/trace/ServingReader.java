package io.gpusched.sim.trace;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Reads Alibaba's serving instances of 2025: one row an instance of an application, with what it
/// asks of cores, GPUs and memory, and when it was created and deleted in seconds from the trace's
/// beginning. The application is the tenant.
///
/// An instance without a creation time was there before the beginning and comes at the epoch; one
/// without a deletion time still ran at the end, and how long it runs is not known. Shares of
/// RDMA and the most instances on a node are not read.
public final class ServingReader {
    private static final List<String> COLUMNS =
            List.of(
                    "instance_sn",
                    "role",
                    "app_name",
                    "cpu_request",
                    "gpu_request",
                    "memory_request",
                    "creation_time",
                    "deletion_time");
    private static final String EXPECTED =
            "instance_sn,role,app_name,cpu_request,…,gpu_request,…,memory_request,…,creation_time,…";
    private static final int MOST_GPUS = 100_000;
    private static final int MIB_PER_GIB = 1024;

    private ServingReader() {}

    public static Trace read(Path file) {
        try (TextLines textLines =
                TextLines.open(file, "serving instances, a CSV file with " + EXPECTED)) {
            var columns = new Columns(textLines, COLUMNS);
            return new TraceJobs(textLines, EXPECTED)
                    .readAll(line -> instance(line.split(",", -1), columns));
        }
    }

    private static TraceJob instance(String[] cells, Columns columns) {
        String created = columns.cell(cells, "creation_time");
        String deleted = columns.cell(cells, "deletion_time");
        Duration came = created.isEmpty() ? Duration.ZERO : TraceJobs.seconds(created);
        Duration ran = deleted.isEmpty() ? Duration.ZERO : TraceJobs.seconds(deleted).minus(came);
        if (ran.isNegative()) {
            throw new IllegalArgumentException("deleted before it was created");
        }
        int gpus = (int) TraceJobs.count(columns.cell(cells, "gpu_request"), MOST_GPUS);
        return new TraceJob(
                columns.cell(cells, "instance_sn"),
                columns.cell(cells, "app_name"),
                Instant.EPOCH.plus(came),
                ran,
                Duration.ZERO,
                new TraceJob.Ask(
                        gpus,
                        gpus == 0 ? 0 : 1000,
                        Math.round(amount(columns.cell(cells, "cpu_request")) * 1000),
                        Math.round(amount(columns.cell(cells, "memory_request")) * MIB_PER_GIB),
                        List.of()));
    }

    private static double amount(String text) {
        double amount = Double.parseDouble(text);
        if (!(amount >= 0 && amount < 1e9)) {
            throw new IllegalArgumentException("not an amount from 0 on: " + text);
        }
        return amount;
    }
}
