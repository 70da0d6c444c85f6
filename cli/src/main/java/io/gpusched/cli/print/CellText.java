package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;

/// Formats single values for tables: times to the second, sizes in the largest whole unit, shares
/// as `used/all`. Every method returns an empty string for an absent value.
public final class CellText {
    private CellText() {}

    /// `2025-03-01T12:00:00.123456Z` without the fraction of a second.
    public static String time(Json instant) {
        return instant.text().replaceFirst("\\.\\d+", "");
    }

    /// MiB in the largest unit that gives at most one decimal: `40960` is `40GiB`.
    public static String mebibytes(Json size) {
        long mebibytes = size.number(-1);
        if (mebibytes < 0) {
            return size.text();
        }
        if (mebibytes < 1024) {
            return mebibytes + "MiB";
        }
        long tenths = (mebibytes * 10 + 512) / 1024;
        return tenths % 10 == 0
                ? tenths / 10 + "GiB"
                : "%d.%dGiB".formatted(tenths / 10, tenths % 10);
    }

    /// Seconds as `45s`, `12m30s`, `3h5m` or `2d4h`.
    public static String seconds(Json duration) {
        long seconds = duration.number(-1);
        if (seconds < 0) {
            return duration.text();
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m" + rest(seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return seconds / 3600 + "h" + rest(seconds % 3600 / 60, "m");
        }
        return seconds / 86_400 + "d" + rest(seconds % 86_400 / 3600, "h");
    }

    /// `part/whole`; an absent whole is a quota that is not set.
    public static String share(Json part, Json whole) {
        if (part.isNil() && whole.isNil()) {
            return "";
        }
        return (part.isNil() ? "0" : part.text())
                + "/"
                + (whole.isNil() ? "unlimited" : whole.text());
    }

    /// `text` on one line, without control characters, so that it cannot change the terminal.
    public static String printable(String text) {
        boolean harmless = text.codePoints().noneMatch(CellText::isControl);
        if (harmless) {
            return text;
        }
        var printable = new StringBuilder();
        text.codePoints().forEach(c -> printable.appendCodePoint(isControl(c) ? '?' : c));
        return printable.toString();
    }

    private static boolean isControl(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static String rest(long value, String unit) {
        return value == 0 ? "" : value + unit;
    }
}
