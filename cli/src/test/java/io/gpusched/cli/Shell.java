package io.gpusched.cli;

import io.gpusched.cli.command.PollingClock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs the real program against a [Stand], with its own environment, streams and time. Time passes
/// only when the program pauses.
public final class Shell {
    /// Exit code and output of a run.
    public record Outcome(int code, String out, String err) {}

    private final Map<String, String> environment = new LinkedHashMap<>();
    private String input = "";
    private boolean terminal;
    private boolean closed;
    private int pausesLeft = Integer.MAX_VALUE;
    private long nanos;
    private final List<Runnable> atPauses = new ArrayList<>();
    private final List<Runnable> lastWords = new ArrayList<>();

    public static Shell at(Stand stand) {
        return new Shell().with("GPU_SCHEDULER_API_URL", stand.url());
    }

    public Shell with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    public Shell typing(String text) {
        input = text;
        return this;
    }

    public Shell onTerminal() {
        terminal = true;
        return this;
    }

    /// Lets every write fail, as behind `| head` after head has exited.
    public Shell withClosedOutput() {
        closed = true;
        return this;
    }

    /// Interrupts the program at the pause after the `n`th.
    public Shell interruptedAfter(int pauses) {
        pausesLeft = pauses;
        return this;
    }

    /// Runs an action at the first, second, ... pause of the program.
    public Shell atPause(Runnable action) {
        atPauses.add(action);
        return this;
    }

    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    public Outcome run(String... args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code =
                Main.run(
                        new CliContext(
                                environment,
                                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                                new PrintStream(
                                        closed ? failing() : out, false, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                terminal,
                                new Time()),
                        args);
        return new Outcome(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static OutputStream failing() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("broken pipe");
            }
        };
    }

    private final class Time implements PollingClock {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.parse("2025-03-01T12:10:00Z").plusNanos(nanos);
        }

        @Override
        public boolean pause(Duration pause) {
            nanos += pause.toNanos();
            if (!atPauses.isEmpty()) {
                atPauses.removeFirst().run();
            }
            boolean goesOn = pausesLeft-- > 0;
            if (!goesOn) {
                lastWords.forEach(Runnable::run);
            }
            return goesOn;
        }

        @Override
        public Watch whenInterrupted(Runnable last) {
            lastWords.add(last);
            return () -> lastWords.remove(last);
        }
    }
}
