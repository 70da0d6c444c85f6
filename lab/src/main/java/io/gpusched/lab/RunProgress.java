package io.gpusched.lab;

import io.gpusched.sim.scenario.Spans;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.time.Duration;

/// How far many runs are, and how long they will take: a bar on a terminal, and where nobody
/// watches, a line now and then.
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

    void show(long ended, int over) {
        if (bar != null) {
            bar.stepTo(ended);
            bar.setExtraMessage(over + " of " + runs + " runs");
            return;
        }
        long now = System.nanoTime();
        if (now - lastLine > LINE_EVERY.toNanos() && ended > 0) {
            lastLine = now;
            long left = (long) ((now - began) * (double) (jobs - ended) / ended);
            err.println(
                    "%d of %d runs over, about %s left"
                            .formatted(over, runs, Spans.rough(Duration.ofNanos(left))));
            err.flush();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.stepTo(jobs);
            bar.close();
        }
    }
}
