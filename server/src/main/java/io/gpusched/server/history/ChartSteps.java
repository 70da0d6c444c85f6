package io.gpusched.server.history;

import java.util.ArrayList;
import java.util.List;

/// The steps of a chart: a round length that gives no more points than asked for, at multiples of
/// that length.
///
/// @param level the stored steps that they are made of
/// @param seconds the length of a step, a multiple of the level's
/// @param from where the first one begins
/// @param to where the last one ends
record ChartSteps(HistoryLevel level, int seconds, long from, long to) {
    private static final int DAY = 86_400;
    private static final List<Integer> ROUND =
            List.of(
                    10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200,
                    DAY);

    /// The longest step: all that is kept in one.
    private static final int LONGEST = 500 * DAY;

    /// Nothing is older than the longest steps are kept, and nothing newer than now.
    static ChartSteps of(HistoryReader.Window asked, long now) {
        long oldest = HistoryLevel.HOUR.oldest(now);
        var window =
                new HistoryReader.Window(
                        Math.max(asked.from(), oldest), Math.min(asked.to(), now), asked.points());
        HistoryLevel finest = finest(window.from(), now);
        for (int seconds : ROUND) {
            if (seconds >= finest.seconds() && fits(window, seconds)) {
                return of(window, seconds);
            }
        }
        int seconds = 2 * DAY;
        while (seconds < LONGEST && !fits(window, seconds)) {
            seconds += DAY;
        }
        return of(window, seconds);
    }

    private static ChartSteps of(HistoryReader.Window window, int seconds) {
        HistoryLevel level = HistoryLevel.TEN_SECONDS;
        for (HistoryLevel one : HistoryLevel.ALL) {
            if (one.seconds() <= seconds) {
                level = one;
            }
        }
        long from = Math.floorDiv(window.from(), seconds) * seconds;
        long most = from + (long) seconds * window.points();
        return new ChartSteps(level, seconds, from, Math.min(most, ceil(window.to(), seconds)));
    }

    private static boolean fits(HistoryReader.Window window, int seconds) {
        long from = Math.floorDiv(window.from(), seconds);
        return ceil(window.to(), seconds) / seconds - from <= window.points();
    }

    private static long ceil(long time, int seconds) {
        return -Math.floorDiv(-time, seconds) * seconds;
    }

    /// The finest level that still has steps of this time.
    private static HistoryLevel finest(long from, long now) {
        for (HistoryLevel level : HistoryLevel.ALL) {
            if (from >= level.oldest(now)) {
                return level;
            }
        }
        return HistoryLevel.HOUR;
    }

    /// Where the step that contains a time begins.
    long of(long time) {
        return Math.floorDiv(time, seconds) * seconds;
    }

    List<Long> times() {
        var times = new ArrayList<Long>();
        for (long at = from; at < to; at += seconds) {
            times.add(at);
        }
        return times;
    }
}
