package io.gpusched.sim.scenario;

import java.time.Duration;

/// The true behaviour of a job, hidden from the scheduler until it shows.
///
/// @param runs how long it runs until it exits by itself
/// @param exit the exit code
/// @param stops how long it takes to stop when asked to; if longer than its grace period, it is
///        killed
/// @param pause when it does not use the GPUs it holds
/// @param pause when it does not use the GPUs it holds
public record HiddenTruth(Duration runs, int exit, Duration stops, Pause pause) {
    /// A time without use of the GPUs, counted from the start of a run.
    ///
    /// @param length zero when there is none
    public record Pause(Duration from, Duration length) {
        public static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO);
    }

    public static final Duration STOPS = Duration.ofSeconds(1);

    /// A job that always uses its GPUs.
    public HiddenTruth(Duration runs, int exit, Duration stops) {
        this(runs, exit, stops, Pause.NONE);
    }

    public static HiddenTruth succeedsAfter(Duration runs) {
        return new HiddenTruth(runs, 0, STOPS);
    }

    /// Draws the behaviour of a job that no scenario describes: mostly short, from one second to
    /// its time limit.
    public static HiddenTruth draw(SeededRandom seededRandom, Duration limit) {
        Duration most = limit.isZero() ? Duration.ofHours(4) : limit;
        Duration runs = seededRandom.logNormal(most.dividedBy(4), 2.5);
        return new HiddenTruth(runs.plusSeconds(1), seededRandom.chance(0.05) ? 1 : 0, STOPS);
    }
}
