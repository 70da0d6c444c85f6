package io.gpusched.server.history;

import java.time.Duration;
import java.util.List;

/// The lengths of steps that are kept, and for how long. Each is made of steps of the one before.
///
///     10 s for 2 hours    1 min for a day    10 min for 14 days    1 h for 400 days
///
/// They are kept a little longer than that, so that "the last day" has all its minutes when a
/// client's clock is not the server's. The number of steps follows from this table alone: 14 040 at
/// most, whatever happens in the cluster.
enum HistoryLevel {
    TEN_SECONDS(10, Duration.ofMinutes(130)),
    MINUTE(60, Duration.ofHours(25)),
    TEN_MINUTES(600, Duration.ofDays(15)),
    HOUR(3600, Duration.ofDays(400));

    static final List<HistoryLevel> ALL = List.of(values());

    private final int seconds;
    private final Duration kept;

    HistoryLevel(int seconds, Duration kept) {
        this.seconds = seconds;
        this.kept = kept;
    }

    int seconds() {
        return seconds;
    }

    /// Steps that began before this time are deleted.
    long oldest(long now) {
        return now - kept.toSeconds();
    }

    /// The longest complete step ends at this time.
    long end(long now) {
        return Math.floorDiv(now, seconds) * seconds;
    }

    /// The level whose steps this one is made of.
    HistoryLevel finer() {
        return ALL.get(ordinal() - 1);
    }
}
