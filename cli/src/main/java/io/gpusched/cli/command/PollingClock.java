package io.gpusched.cli.command;

import java.time.Duration;
import java.time.Instant;

/// Time, for the commands that come back to the server again and again.
public interface PollingClock {
    /// Nanoseconds since some moment; only differences mean anything.
    long nanos();

    /// The time of day.
    Instant now();

    /// Lets `pause` pass. False if we were told to stop meanwhile.
    boolean pause(Duration pause);

    /// Does `last` if somebody interrupts the program before the answer is closed.
    Watch whenInterrupted(Runnable last);

    /// Ends with [#close], without a word.
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /// The time of the wall.
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
                        hook.setName("interrupted, and said so");
                    }
                };
            }
        };
    }
}
