package io.gpusched.server.cell;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// The time that the cell decides by: the wall clock's time, as long as it agrees with a monotonic
/// clock.
///
/// The cell cannot undo what it records, and its time never goes back. If it followed a wall clock
/// that was set a year ahead for a minute, deadlines would pass, idempotency keys would expire, and
/// its time would then stand still for a year. So this clock follows a step slowly:
///
///     wall clock       step of       this clock until both agree
///     ahead            up to 1 min   steps too
///     ahead            more          goes twice as fast
///     back                           goes on at nine tenths of the speed
///
/// After a restart the clock starts at the wall clock's time, but no earlier than the last batch.
/// Any thread may read it.
public final class CellClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(CellClock.class);

    /// A step of the wall clock up to this size is followed at once.
    private static final Duration SMALL_STEP = Duration.ofMinutes(1);

    /// How often a warning about a wall clock that is far off is logged.
    private static final long WARN_EVERY = Duration.ofHours(1).toNanos();

    private final InstantSource wall;
    private final LongSupplier steady;
    private Instant now;
    private long readAt;
    private long warnedAt;
    private boolean isOff;

    /// @param wall the clock of the machine, which may be set
    /// @param steady monotonic nanoseconds
    public CellClock(InstantSource wall, LongSupplier steady) {
        this.wall = wall;
        this.steady = steady;
        this.now = wall.instant();
        this.readAt = steady.getAsLong();
    }

    /// A clock that follows the wall clock of this machine.
    public static CellClock ofMachine() {
        return new CellClock(InstantSource.system(), System::nanoTime);
    }

    /// Makes sure that this clock is no earlier than `end`, the time of the last batch.
    public synchronized void startAt(Instant end) {
        Instant present = instant();
        if (end.isAfter(present)) {
            now = end;
        }
    }

    @Override
    public synchronized Instant instant() {
        long read = steady.getAsLong();
        long passed = Math.max(0, read - readAt);
        readAt = read;
        Instant expected = now.plusNanos(passed);
        Instant told = wall.instant();
        Duration ahead = Duration.between(expected, told);
        warn(ahead, read);
        if (ahead.compareTo(SMALL_STEP) > 0) {
            now = expected.plusNanos(passed);
        } else if (ahead.isNegative()) {
            Instant slow = now.plusNanos(passed - passed / 10);
            now = told.isAfter(slow) ? told : slow;
        } else {
            now = told;
        }
        return now;
    }

    /// How far the wall clock is ahead of this one; negative when it is behind.
    public synchronized Duration wallAhead() {
        Instant present = instant();
        return Duration.between(present, wall.instant());
    }

    private void warn(Duration ahead, long read) {
        boolean far = ahead.abs().compareTo(SMALL_STEP) > 0;
        if (far && (!isOff || read - warnedAt > WARN_EVERY)) {
            warnedAt = read;
            LOG.warn(
                    "the clock of this machine is {} s {} the scheduler's time, which follows it"
                            + " slowly; check the clock (NTP). If it is right, a restart of the"
                            + " scheduler takes it over{}",
                    ahead.abs().toSeconds(),
                    ahead.isNegative() ? "behind" : "ahead of",
                    ahead.isNegative() ? " as soon as it is past the newest record" : "");
        } else if (!far && isOff) {
            LOG.info("the clock of this machine agrees with the scheduler's time again");
        }
        isOff = far;
    }
}
