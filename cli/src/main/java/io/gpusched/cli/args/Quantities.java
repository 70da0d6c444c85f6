package io.gpusched.cli.args;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/// Parses quantities in the units that people type. Every method throws an
/// `IllegalArgumentException` that says what was expected and what was found.
final class Quantities {
    private static final long LARGEST = 1_000_000_000_000_000L;

    private Quantities() {}

    static long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException(
                    "expected a whole number, found '" + text + "'", notWhole);
        }
    }

    /// Digits with an optional point and sign. Exponents are refused: `1e999999999` would be huge.
    static BigDecimal decimal(String text) {
        if (text.length() > 40 || !text.matches("[+-]?[0-9]+(\\.[0-9]+)?")) {
            throw new IllegalArgumentException(
                    "expected a number such as 2 or 0.5, found '" + text + "'");
        }
        return new BigDecimal(text);
    }

    /// `40000` and `40000MB` are megabytes as the server counts them. `40GB` is 40 times 1000 of
    /// them, `40Gi` 40 times 1024. Fractions of a megabyte are rounded up.
    static long megabytes(String text) {
        int unit = 0;
        while (unit < text.length() && "0123456789.".indexOf(text.charAt(unit)) >= 0) {
            unit++;
        }
        try {
            var exact =
                    new BigDecimal(text.substring(0, unit))
                            .multiply(BigDecimal.valueOf(factor(text.substring(unit))))
                            .setScale(0, RoundingMode.CEILING);
            if (exact.compareTo(BigDecimal.valueOf(LARGEST)) <= 0) {
                return exact.longValueExact();
            }
        } catch (NumberFormatException notASize) {
            throw new IllegalArgumentException(notASize(text), notASize);
        }
        throw new IllegalArgumentException(notASize(text));
    }

    private static long factor(String unit) {
        return switch (unit.strip().toLowerCase(Locale.ROOT)) {
            case "", "m", "mb", "mi", "mib" -> 1;
            case "g", "gb" -> 1000;
            case "gi", "gib" -> 1024;
            case "t", "tb" -> 1000 * 1000;
            case "ti", "tib" -> 1024 * 1024;
            default -> throw new NumberFormatException("unknown unit");
        };
    }

    private static String notASize(String text) {
        return "expected megabytes or a size such as 40Gi, 40GB or 512Mi, found '" + text + "'";
    }

    /// `90` is minutes. `2h30m`, `45s` and `1d` have units, larger ones first. `1:00:00` and
    /// `2-12:00` are Slurm's notation.
    static Duration span(String text) {
        if (text.indexOf(':') >= 0 || text.indexOf('-') > 0) {
            return slurm(text);
        }
        String units = "dhms";
        Duration span = Duration.ZERO;
        int next = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            int unit = units.indexOf(text.charAt(i), next);
            if (unit >= 0) {
                span = span.plusSeconds(part(text, start, i) * SECONDS[unit]);
                next = unit + 1;
                start = i + 1;
            }
        }
        boolean bare = start == 0;
        if (start < text.length() || bare) {
            long rest = part(text, start, text.length());
            return bare ? Duration.ofMinutes(rest) : refused(text);
        }
        return span;
    }

    /// `minutes:seconds`, `hours:minutes:seconds`, `days-hours`, and `days-hours:minutes` with or
    /// without `:seconds`.
    private static Duration slurm(String text) {
        int dash = text.indexOf('-');
        String[] parts = text.substring(dash + 1).split(":", -1);
        if (parts.length > 3) {
            return refused(text);
        }
        long[] numbers = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            numbers[i] = number(parts[i], text);
        }
        int unit = dash < 0 && parts.length == 2 ? 2 : 1;
        Duration span =
                dash < 0 ? Duration.ZERO : Duration.ofDays(number(text.substring(0, dash), text));
        for (long number : numbers) {
            span = span.plusSeconds(number * SECONDS[unit]);
            unit++;
        }
        return span;
    }

    /// `30` is seconds; `1m30s` and `1:30` have units.
    static long seconds(String text) {
        boolean bare = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return span(bare ? text + "s" : text).toSeconds();
    }

    private static final long[] SECONDS = {86_400, 3600, 60, 1};

    private static long part(String text, int from, int to) {
        return number(text.substring(from, to), text);
    }

    private static long number(String digits, String text) {
        boolean readable =
                !digits.isEmpty()
                        && digits.length() <= 9
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!readable) {
            refused(text);
        }
        return Long.parseLong(digits);
    }

    private static Duration refused(String text) {
        throw new IllegalArgumentException(
                "expected minutes or a time such as 2h30m, 45s, 1:00:00 or 2-12:00, found '"
                        + text
                        + "'");
    }
}
