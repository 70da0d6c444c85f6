package io.gpusched.server.alert;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/// Writes the values in messages of alerts.
final class AlertText {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private AlertText() {}

    /// The two largest units: `3 h 20 min`, `45 s`.
    static String time(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return two(seconds / MINUTE, "min", seconds % MINUTE, "s");
        }
        return seconds < DAY
                ? two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "min")
                : two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
    }

    private static String two(long first, String unit, long second, String smaller) {
        return first + " " + unit + (second == 0 ? "" : " " + second + " " + smaller);
    }

    /// `12.5 %` for 0.125.
    static String percent(double share) {
        return number(100 * share, 1) + " %";
    }

    static String number(double value, int decimals) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
        BigDecimal plain = rounded.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0).toPlainString() : plain.toPlainString();
    }
}
