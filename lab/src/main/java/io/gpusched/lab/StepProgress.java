package io.gpusched.lab;

import io.gpusched.sim.scenario.ScenarioDurations;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;

/// Shows how many of a command's runs are finished, on standard error: on a terminal one line that
/// is rewritten, elsewhere a line every ten seconds. Results that the command prints in between
/// replace the line.
final class StepProgress implements AutoCloseable {
    private static final Duration LINE_EVERY = Duration.ofSeconds(10);

    /// Back to the beginning of the line, and nothing behind.
    private static final String CLEAR = "\r\u001b[K";

    private final String what;
    private final long steps;
    private final PrintWriter err;
    private final @Nullable PrintStream terminal;
    private long began = System.nanoTime();
    private long lastLine = began;
    private long over;
    private long before;
    private String name = "";

    private StepProgress(String what, long steps, PrintWriter err, @Nullable PrintStream terminal) {
        this.what = what;
        this.steps = steps;
        this.err = err;
        this.terminal = terminal;
    }

    /// @param what the steps, in the plural: runs, sequences, episodes
    /// @param err for lines when standard error is not a terminal
    static StepProgress of(String what, long steps, PrintWriter err) {
        return new StepProgress(what, steps, err, Progress.isSeen() ? System.err : null);
    }

    static StepProgress onTerminal(String what, long steps, PrintStream terminal) {
        return new StepProgress(what, steps, new PrintWriter(PrintWriter.nullWriter()), terminal);
    }

    /// The next steps are about this.
    void begin(String of) {
        name = of;
        show();
    }

    /// The first step begins only now.
    void restart() {
        began = System.nanoTime();
    }

    /// So many of the next steps were over before the command began.
    void skip(long earlier) {
        before += earlier;
        over += earlier;
    }

    /// One more step is over.
    void step() {
        over++;
        show();
    }

    /// The command is about to print a result.
    void clear() {
        if (terminal != null) {
            terminal.print(CLEAR);
            terminal.flush();
        }
    }

    private void show() {
        long now = System.nanoTime();
        if (terminal != null) {
            terminal.print(CLEAR + text(now));
            terminal.flush();
        } else if (now - lastLine > LINE_EVERY.toNanos()) {
            lastLine = now;
            err.println(text(now));
            err.flush();
        }
    }

    private String text(long now) {
        String left =
                over == before
                        ? ""
                        : ", about "
                                + ScenarioDurations.rough(
                                        left(
                                                Duration.ofNanos(now - began),
                                                steps - before,
                                                over - before))
                                + " left";
        return "%s: %d of %d %s%s".formatted(name, over, steps, what, left);
    }

    /// The time that the rest takes if it goes on as it went so far.
    static Duration left(Duration took, long steps, long over) {
        return Duration.ofNanos((long) ((double) took.toNanos() * (steps - over) / over));
    }

    @Override
    public void close() {
        clear();
    }
}
