package io.gpusched.cli.command;

import java.time.Duration;
import java.time.Instant;

/// The clock of commands that poll the server.
public interface PollingClock {
    /// Nanoseconds since an arbitrary moment; only differences are meaningful.
    long nanos();

    /// The current time.
    Instant now();

    /// Waits for `pause`. False if the process is asked to stop meanwhile.
    boolean pause(Duration pause);

    /// Runs `last` if the user interrupts the program before the returned handle is closed.
    Watch whenInterrupted(Runnable last);

    /// Ends with [#close], which throws no checked exception.
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /// The clock of this machine.
    static PollingClock real() {
        return new PollingClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }

            @Override
            public boolean pause(Duration pause) {
                try {
                    Thread.sleep(pause);
                    return true;
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }

            @Override
            public Watch whenInterrupted(Runnable last) {
                Thread hook = Thread.ofPlatform().name("interrupted").unstarted(last);
                Runtime.getRuntime().addShutdownHook(hook);
                return () -> {
                    try {
                        Runtime.getRuntime().removeShutdownHook(hook);
                    } catch (IllegalStateException alreadyEnding) {
                        hook.setName("interrupt message");
                    }
                };
            }
        };
    }
}
