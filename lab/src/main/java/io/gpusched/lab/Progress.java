package io.gpusched.lab;

import io.gpusched.sim.scenario.ScenarioDurations;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Progress of a long run, on standard error if that is a terminal.
final class Progress implements AutoCloseable {
    /// Runs of fewer jobs are over before a bar could be read.
    private static final int LONG = 2_000;

    private static final int EVERY = 256;

    private final @Nullable ProgressBar bar;
    private int calls;
    private long last;
    private long reached;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /// @param silent whether the command already prints something else
    static Progress of(int jobs, boolean silent) {
        return of(jobs, silent, isSeen(), new ProgressBarBuilder());
    }

    /// @param seen whether the bar is drawn on a terminal
    static Progress of(int jobs, boolean silent, boolean seen, ProgressBarBuilder bar) {
        if (silent || jobs < LONG || !seen) {
            return new Progress(null);
        }
        return new Progress(
                bar.setTaskName("simulating")
                        .setInitialMax(jobs)
                        .setUnit(" jobs", 1)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(500)
                        .showSpeed()
                        .build());
    }

    /// Progress of reading a journal, whose length is not known in advance.
    static Progress ofHistory() {
        return ofHistory(isSeen(), new ProgressBarBuilder());
    }

    /// @param seen whether the bar is drawn on a terminal
    static Progress ofHistory(boolean seen, ProgressBarBuilder bar) {
        return new Progress(
                seen
                        ? bar.setTaskName("reading")
                                .setInitialMax(-1)
                                .setUnit(" batches", 1)
                                .setStyle(ProgressBarStyle.ASCII)
                                .setUpdateIntervalMillis(500)
                                .build()
                        : null);
    }

    /// @param batch read last
    /// @param second whether it has been read to its end before
    void read(long batch, boolean second) {
        last = second ? last : batch;
        reached = second ? last + batch : batch;
        if (bar != null && ++calls % EVERY == 0) {
            if (second) {
                bar.maxHint(2 * last);
            }
            bar.stepTo(reached);
            bar.setExtraMessage(second ? "deciding again" : "reading");
        }
    }

    void show(long ended, Duration simulated) {
        reached = ended;
        if (bar != null && ++calls % EVERY == 0) {
            bar.stepTo(reached);
            bar.setExtraMessage(
                    " " + ScenarioDurations.rough(simulated)); // The speed ends without a space.
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.stepTo(reached);
            bar.close();
        }
    }

    /// Whether standard error goes to a terminal.
    static boolean isSeen() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException elsewhere) {
            return false;
        }
    }
}
