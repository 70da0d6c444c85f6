package io.gpusched.sim.scenario;

import java.time.Duration;

/// What a job will really do, hidden from the scheduler until it has happened.
///
/// @param runs how long it runs until it exits by itself
/// @param exit the code it then exits with
/// @param stops how long it takes to leave when asked to; when that is longer than its grace
///        period, it is killed
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

    /// Draws a truth for a job nobody described: anything from a second to its time limit, mostly
    /// short.
    public static HiddenTruth draw(SeededRandom seededRandom, Duration limit) {
        Duration most = limit.isZero() ? Duration.ofHours(4) : limit;
        Duration runs = seededRandom.logNormal(most.dividedBy(4), 2.5);
        return new HiddenTruth(runs.plusSeconds(1), seededRandom.chance(0.05) ? 1 : 0, STOPS);
    }
}
