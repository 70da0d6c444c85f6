package io.gpusched.cli.command;

import java.time.Duration;

/// Time, for the commands that come back to the server again and again.
public interface Pace {
    /// Nanoseconds since some moment; only differences mean anything.
    long nanos();

    /// Lets `pause` pass. False if we were told to stop meanwhile.
    boolean pause(Duration pause);

    /// The time of the wall.
    static Pace real() {
        return new Pace() {
            @Override
            public long nanos() {
                return System.nanoTime();
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
        };
    }
}
