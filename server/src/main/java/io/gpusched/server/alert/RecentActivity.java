package io.gpusched.server.alert;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.StopCause;
import io.gpusched.server.cell.Follower;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;

/// Counts of the last hour, one bucket for each minute: placements, preemptions, and times to make
/// batches durable; and the waits of the jobs that started last. The follower's thread and the
/// cell's thread write it, and both only count.
public final class RecentActivity implements Follower.BatchListener {
    static final int MINUTES = 60;
    static final int APPEND_MINUTES = 5;
    static final int MOST_WAITS = 1000;
    static final int FEWEST_WAITS = 20;

    private static final double NANOS = 1e9;
    private static final double QUANTILE = 0.9;

    /// @param placed runs placed in the last hour
    /// @param preempted runs preempted in the last hour
    /// @param usualWait 9 of 10 of the jobs that started last waited at most this long, in seconds;
    ///        NaN as long as fewer than 20 have started
    /// @param appendSeconds mean time to make a batch durable in the last 5 minutes; NaN if there
    ///        was none
    public record Figures(long placed, long preempted, double usualWait, double appendSeconds) {}

    private static final class Minute {
        long number = Long.MIN_VALUE;
        long placed;
        long preempted;
        long appends;
        long appendNanos;

        void begin(long minute) {
            number = minute;
            placed = 0;
            preempted = 0;
            appends = 0;
            appendNanos = 0;
        }
    }

    private final InstantSource clock;
    private final Minute[] minutes = new Minute[MINUTES];
    private final double[] waits = new double[MOST_WAITS];
    private long started;

    public RecentActivity(InstantSource clock) {
        this.clock = clock;
        Arrays.setAll(minutes, index -> new Minute());
    }

    @Override
    public synchronized void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        batch.facts().forEach(event -> count(event, engine));
        batch.decided().forEach(event -> count(event, engine));
    }

    private void count(Event event, Engine engine) {
        if (event instanceof Event.AttemptPlaced placed) {
            minute(placed.at()).placed++;
            Job job = engine.state().job(placed.attempt().job());
            if (job != null && placed.attempt().number() == 1) {
                waited(Duration.between(job.waitsFrom(), placed.at()));
            }
        } else if (event instanceof Event.AttemptStopping stopping
                && stopping.cause().kind() == StopCause.Kind.PREEMPTED) {
            minute(stopping.at()).preempted++;
        }
    }

    private void waited(Duration wait) {
        waits[(int) (started % MOST_WAITS)] = wait.toMillis() / 1000.0;
        started++;
    }

    /// Counts a batch that was made durable in this time.
    public synchronized void appended(long nanos) {
        Minute minute = minute(clock.instant());
        minute.appends++;
        minute.appendNanos += nanos;
    }

    private Minute minute(Instant at) {
        long number = Math.floorDiv(at.getEpochSecond(), 60);
        Minute minute = minutes[Math.floorMod(number, MINUTES)];
        if (minute.number != number) {
            minute.begin(number);
        }
        return minute;
    }

    public synchronized Figures figures(Instant now) {
        long last = Math.floorDiv(now.getEpochSecond(), 60);
        long placed = 0;
        long preempted = 0;
        long appends = 0;
        long nanos = 0;
        for (Minute minute : minutes) {
            if (minute.number > last - MINUTES) {
                placed += minute.placed;
                preempted += minute.preempted;
            }
            if (minute.number > last - APPEND_MINUTES) {
                appends += minute.appends;
                nanos += minute.appendNanos;
            }
        }
        return new Figures(
                placed,
                preempted,
                usualWait(),
                appends == 0 ? Double.NaN : nanos / NANOS / appends);
    }

    private double usualWait() {
        int known = (int) Math.min(started, MOST_WAITS);
        if (known < FEWEST_WAITS) {
            return Double.NaN;
        }
        double[] sorted = Arrays.copyOf(waits, known);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(QUANTILE * known) - 1];
    }
}
