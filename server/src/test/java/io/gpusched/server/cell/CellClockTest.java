package io.gpusched.server.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// The cell's time under a wall clock that is set by hand.
final class CellClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant wall = START;
    private long steady;
    private final CellClock clock = new CellClock(() -> wall, () -> steady);

    private void pass(Duration time) {
        wall = wall.plus(time);
        steady += time.toNanos();
    }

    @Test
    void itFollowsTheWallClock() {
        pass(Duration.ofHours(5));
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(5)));
        wall = wall.plusSeconds(30);
        assertThat(clock.instant()).isEqualTo(wall);
    }

    @Test
    void aWallClockFarAheadIsFollowedAtTwiceTheSpeed() {
        wall = START.plus(Duration.ofDays(365));
        assertThat(clock.instant()).isEqualTo(START);
        pass(Duration.ofMinutes(10));
        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofMinutes(20)));
        assertThat(clock.wallAhead()).isEqualTo(Duration.ofDays(365).minus(Duration.ofMinutes(10)));
    }

    @Test
    void aWallClockThatWasWrongForAWhileLeavesNothingBehind() {
        wall = START.plus(Duration.ofDays(365));
        pass(Duration.ofMinutes(1));
        clock.instant();
        wall = START.plus(Duration.ofMinutes(1));
        Instant before = clock.instant();
        pass(Duration.ofMinutes(20));
        assertThat(clock.instant()).isAfter(before).isEqualTo(wall);
    }

    @Test
    void theTimeGoesOnAfterTheWallClockWasSetBack() {
        pass(Duration.ofHours(1));
        Instant before = clock.instant();
        wall = wall.minus(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(before);
        pass(Duration.ofMinutes(10));
        assertThat(clock.instant()).isEqualTo(before.plus(Duration.ofMinutes(9)));
        pass(Duration.ofHours(10));
        assertThat(clock.instant()).isEqualTo(wall);
    }

    @Test
    void aJournalThatEndsInTheFutureDoesNotStopTheTime() {
        Instant end = START.plus(Duration.ofDays(30));
        clock.startAt(end);
        pass(Duration.ofMinutes(10));
        assertThat(clock.instant()).isEqualTo(end.plus(Duration.ofMinutes(9)));
    }

    @Test
    void aRestartTakesTheWallClockAsItIs() {
        wall = START.plus(Duration.ofDays(365));
        var next = new CellClock(() -> wall, () -> steady);
        next.startAt(START);
        assertThat(next.instant()).isEqualTo(wall);
    }
}
