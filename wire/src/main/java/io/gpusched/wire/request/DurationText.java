package io.gpusched.wire.request;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses durations with units or in Slurm's notation.
///
///     2h30m, 45s, 1d        with units, larger ones first
///     90:00, 1:30:00        minutes:seconds, hours:minutes:seconds
///     2-12, 2-12:00:00      days-hours, days-hours:minutes:seconds
///     90                    in the unit of the field
final class DurationText {
    private static final Pattern UNITS =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?");
    private static final Pattern DAYS =
            Pattern.compile("(\\d{1,9})-(\\d{1,9})(?::(\\d{1,9}))?(?::(\\d{1,9}))?");
    private static final Pattern CLOCK = Pattern.compile("(?:(\\d{1,9}):)?(\\d{1,9}):(\\d{1,9})");
    private static final Pattern BARE = Pattern.compile("\\d{1,9}");

    private DurationText() {}

    /// Null if the text is not a duration.
    ///
    /// @param bare the unit of a number without a unit
    static @Nullable Duration read(String text, Duration bare) {
        if (BARE.matcher(text).matches()) {
            return bare.multipliedBy(Long.parseLong(text));
        }
        Matcher units = UNITS.matcher(text);
        if (!text.isEmpty() && units.matches()) {
            return span(units);
        }
        Matcher days = DAYS.matcher(text);
        if (days.matches()) {
            return span(days);
        }
        Matcher clock = CLOCK.matcher(text);
        return clock.matches()
                ? Duration.ofHours(group(clock, 1))
                        .plusMinutes(group(clock, 2))
                        .plusSeconds(group(clock, 3))
                : null;
    }

    /// Days, hours, minutes and seconds.
    private static Duration span(Matcher parts) {
        return Duration.ofDays(group(parts, 1))
                .plusHours(group(parts, 2))
                .plusMinutes(group(parts, 3))
                .plusSeconds(group(parts, 4));
    }

    private static long group(Matcher parts, int number) {
        String digits = parts.group(number);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
