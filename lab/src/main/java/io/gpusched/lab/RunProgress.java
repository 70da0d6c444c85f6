package io.gpusched.lab;

import io.gpusched.sim.scenario.ScenarioDurations;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.time.Duration;

/// Shows the progress of many runs and the remaining time: a bar on a terminal, otherwise a line
/// from time to time.
final class RunProgress implements AutoCloseable {
    private static final Duration LINE_EVERY = Duration.ofSeconds(10);

    private final @Nullable ProgressBar bar;
    private final long jobs;
    private final int runs;
    private final PrintWriter err;
    private final long began = System.nanoTime();
    private long lastLine = began;

    private RunProgress(@Nullable ProgressBar bar, long jobs, int runs, PrintWriter err) {
        this.bar = bar;
        this.jobs = jobs;
        this.runs = runs;
        this.err = err;
    }

    static RunProgress of(long jobs, int runs, PrintWriter err) {
        ProgressBar bar =
                Progress.isSeen()
                        ? new ProgressBarBuilder()
                                .setTaskName("comparing")
                                .setInitialMax(jobs)
                                .setUnit(" jobs", 1)
                                .setStyle(ProgressBarStyle.ASCII)
                                .setUpdateIntervalMillis(300)
                                .build()
                        : null;
        return new RunProgress(bar, jobs, runs, err);
    }

    /// @param there jobs of runs that were finished before this comparison began
    void show(long ended, long there, int over) {
        if (bar != null) {
            bar.maxHint(jobs - there);
            bar.stepTo(ended - there);
            bar.setExtraMessage(over + " of " + runs + " runs");
            return;
        }
        long now = System.nanoTime();
        if (over == runs && lastLine != began) {
            lastLine = began;
            err.println("%d of %d runs finished".formatted(over, runs));
            err.flush();
        } else if (now - lastLine > LINE_EVERY.toNanos() && ended > there) {
            lastLine = now;
            Duration left = left(Duration.ofNanos(now - began), jobs, ended, there);
            err.println(
                    "%d of %d runs finished, about %s left"
                            .formatted(over, runs, ScenarioDurations.rough(left)));
            err.flush();
        }
    }

    /// The remaining time, estimated from the work since the start.
    static Duration left(Duration took, long jobs, long ended, long there) {
        double more = (double) (jobs - ended) / (ended - there);
        return Duration.ofNanos((long) (took.toNanos() * more));
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.stepTo(bar.getMax());
            bar.close();
        }
    }
}
