package io.gpusched.sim.scenario;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Pattern;

/// Durations as people write them: `250ms`, `90s`, `15m`, `1h30m`, `7d`, `0`.
public final class ScenarioDurations {
    private static final Pattern FORM =
            Pattern.compile(
                    "(?:(\\d{1,6})d)?(?:(\\d{1,8})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    private static final int FEW_DAYS = 10;

    private ScenarioDurations() {}

    /// Null when `text` is not of that form.
    public static @Nullable Duration parse(String text) {
        var parts = FORM.matcher(text);
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (text.isEmpty() || !parts.matches()) {
            return null;
        }
        return Duration.ofDays(number(parts.group(1)))
                .plusHours(number(parts.group(2)))
                .plusMinutes(number(parts.group(3)))
                .plusSeconds(number(parts.group(4)))
                .plusMillis(number(parts.group(5)));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /// Hours, minutes and seconds of a moment in a simulation, with days in front and thousandths
    /// behind only where there are any: `00:41:12`, `2d 03:00:00.250`.
    public static String clock(Duration since) {
        String text =
                "%02d:%02d:%02d"
                        .formatted(
                                since.toHoursPart(), since.toMinutesPart(), since.toSecondsPart());
        String days = since.toDays() == 0 ? "" : since.toDays() + "d ";
        String millis = since.toMillisPart() == 0 ? "" : ".%03d".formatted(since.toMillisPart());
        return days + text + millis;
    }

    /// At most two units, rounded down: `1d 4h`, `12m 30s`, `2h`, `4.2s`; of a few days also the
    /// minutes, because an hour more or less is much of a day: `1d 4h 10m`.
    public static String rough(Duration duration) {
        if (duration.toDays() > 0 && duration.toDays() < FEW_DAYS && duration.toMinutesPart() > 0) {
            return duration.toDays()
                    + "d "
                    + duration.toHoursPart()
                    + "h "
                    + duration.toMinutesPart()
                    + "m";
        }
        if (duration.toDays() > 0) {
            return two(duration.toDays(), "d", duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return two(duration.toHours(), "h", duration.toMinutesPart(), "m");
        }
        if (duration.toMinutes() > 0) {
            return two(duration.toMinutes(), "m", duration.toSecondsPart(), "s");
        }
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + "s"
                : duration.toMillis() / 1000 + "." + duration.toMillisPart() / 100 + "s";
    }

    private static String two(long large, String unit, int small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + " " + small + smallUnit;
    }
}
