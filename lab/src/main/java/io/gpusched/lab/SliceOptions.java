package io.gpusched.lab;

import io.gpusched.lab.order.ClusterSlices;
import io.gpusched.sim.trace.Trace;

import picocli.CommandLine.Option;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/// How a GPU trace is divided into jobs to train on and jobs that are held back.
final class SliceOptions {
    @Option(
            names = "--split",
            paramLabel = "DATE",
            defaultValue = "2017-11-06",
            description =
                    "Jobs submitted from this day on are held back from training (default"
                            + " ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String split;

    @Option(
            names = "--slice",
            paramLabel = "N",
            defaultValue = "500",
            description =
                    "Consecutive jobs of a virtual cluster that are run together (default"
                            + " ${DEFAULT-VALUE}).")
    private int length;

    @Option(
            names = "--bound",
            paramLabel = "HOURS",
            defaultValue = "24",
            description =
                    "A job that has waited this long goes before all that the model orders, in"
                            + " hours (default ${DEFAULT-VALUE}).")
    private double bound;

    ClusterSlices of(Trace trace) {
        if (length < 2) {
            throw new UserError("--slice: expected 2 or more jobs, found " + length);
        }
        return new ClusterSlices(trace.jobs(), split(), length);
    }

    private Instant split() {
        try {
            return LocalDate.parse(split).atStartOfDay().toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new UserError("--split: expected a day such as 2017-11-06, found " + split);
        }
    }

    int length() {
        return length;
    }

    Duration bound() {
        if (!(bound >= 0 && bound <= 1e6)) {
            throw new UserError("--bound: expected 0 to 1000000 hours, found " + bound);
        }
        return Duration.ofMillis((long) (bound * 3_600_000));
    }

    /// The settings, for reports.
    String text() {
        return "slices of %d jobs, held back from %s on, starvation bound %s h"
                .formatted(length, split, bound);
    }
}
