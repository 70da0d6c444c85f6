package io.gpusched.server.outlook;

import io.gpusched.core.model.JobId;
import io.gpusched.core.outlook.Start;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// What jobs were first told about their start, and how often that came true. The old count less
/// and less.
final class Promises {
    private static final int MOST = 20_000;
    private static final double FADES = 0.998;

    private final Map<JobId, Start> open = new HashMap<>();
    private double inside;
    private double all;

    /// Only what a job is told first counts: later it is easy to be right.
    synchronized void made(Map<JobId, Start> starts) {
        starts.forEach(
                (job, start) -> {
                    if (start.late() != null && open.size() < MOST) {
                        open.putIfAbsent(job, start);
                    }
                });
    }

    synchronized void started(JobId job, Instant at) {
        Start promised = open.remove(job);
        if (promised != null && promised.early() != null && promised.late() != null) {
            boolean kept = !at.isBefore(promised.early()) && !at.isAfter(promised.late());
            inside = inside * FADES + (kept ? 1 : 0);
            all = all * FADES + 1;
        }
    }

    synchronized void gone(JobId job) {
        open.remove(job);
    }

    /// From 0 to 1; not a number before anything has started.
    synchronized double coverage() {
        return all == 0 ? Double.NaN : inside / all;
    }
}
