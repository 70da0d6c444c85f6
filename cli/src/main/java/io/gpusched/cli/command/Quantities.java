package io.gpusched.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The quantities that people type, in the units that they think in.
final class Quantities {
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");
    private static final Pattern SPAN =
            Pattern.compile("(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?");

    private Quantities() {}

    /// `40000` and `40000MB` are megabytes as the server counts them, `40GB` is a thousand of them
    /// each, `40Gi` 1024 each. Parts of a megabyte are rounded up.
    static final class Memory implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            Matcher size = SIZE.matcher(text.strip());
            long factor = size.matches() ? factor(size.group(2)) : 0;
            if (factor == 0) {
                throw new TypeConversionException(
                        "expected megabytes or a size such as 40Gi, 40GB or 512Mi, found '%s'"
                                .formatted(text));
            }
            var exact = new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(factor));
            return whole(exact.setScale(0, RoundingMode.CEILING).toPlainString());
        }

        private static long factor(String unit) {
            return switch (unit.toLowerCase(Locale.ROOT)) {
                case "", "m", "mb", "mi", "mib" -> 1;
                case "g", "gb" -> 1000;
                case "gi", "gib" -> 1024;
                case "t", "tb" -> 1000 * 1000;
                case "ti", "tib" -> 1024 * 1024;
                default -> 0;
            };
        }
    }

    /// `90` is minutes; `2h30m`, `45s` and `1d` say their unit.
    static final class Span implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            String typed = text.strip();
            if (typed.matches("\\d+")) {
                return Duration.ofMinutes(boundedTo(whole(typed), text));
            }
            Matcher span = SPAN.matcher(typed);
            if (typed.isEmpty() || !span.matches()) {
                throw refused(text);
            }
            return Duration.ofDays(part(span, 1, text))
                    .plusHours(part(span, 2, text))
                    .plusMinutes(part(span, 3, text))
                    .plusSeconds(part(span, 4, text));
        }

        private static long part(Matcher span, int group, String text) {
            String digits = span.group(group);
            return digits == null ? 0 : boundedTo(whole(digits), text);
        }

        private static long boundedTo(long value, String text) {
            if (value > 1_000_000_000L) {
                throw refused(text);
            }
            return value;
        }

        private static TypeConversionException refused(String text) {
            return new TypeConversionException(
                    "expected minutes or a time such as 2h30m, 45s or 1d, found '%s'"
                            .formatted(text));
        }
    }

    /// A whole number; anything else is told in words.
    static final class Whole implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text);
        }
    }

    private static long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            throw new TypeConversionException(
                    "expected a whole number, found '%s'".formatted(text));
        }
    }
}
