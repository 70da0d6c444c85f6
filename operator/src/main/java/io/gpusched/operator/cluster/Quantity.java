package io.gpusched.operator.cluster;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/// Reads amounts as Kubernetes writes them: `4`, `500m`, `1.5Gi`, `2e3`, `100M`.
public final class Quantity {
    private static final Map<String, BigDecimal> UNITS =
            Map.ofEntries(
                    Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
                    Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
                    Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
                    Map.entry("", BigDecimal.ONE),
                    Map.entry("k", BigDecimal.ONE.movePointRight(3)),
                    Map.entry("M", BigDecimal.ONE.movePointRight(6)),
                    Map.entry("G", BigDecimal.ONE.movePointRight(9)),
                    Map.entry("T", BigDecimal.ONE.movePointRight(12)),
                    Map.entry("P", BigDecimal.ONE.movePointRight(15)),
                    Map.entry("E", BigDecimal.ONE.movePointRight(18)),
                    Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
                    Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
                    Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
                    Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
                    Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
                    Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /// An exponent with more digits is no amount of anything.
    private static final int LONGEST = 40;

    private Quantity() {}

    /// Whole units, rounded up.
    ///
    /// @throws IllegalArgumentException if the text is no quantity
    public static long units(String text) {
        return isPlain(text) ? Long.parseLong(text) : rounded(number(text));
    }

    /// Thousandths, rounded up.
    ///
    /// @throws IllegalArgumentException if the text is no quantity
    public static long milli(String text) {
        return isPlain(text) && text.length() < 15
                ? Long.parseLong(text) * 1000
                : rounded(number(text).movePointRight(3));
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || text.length() > 18) {
            return false;
        }
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) < '0' || text.charAt(at) > '9') {
                return false;
            }
        }
        return true;
    }

    private static BigDecimal number(String text) {
        int digits = text.length();
        while (digits > 0 && Character.isLetter(text.charAt(digits - 1))) {
            digits--;
        }
        BigDecimal unit = UNITS.get(text.substring(digits));
        try {
            if (unit == null || text.length() > LONGEST) {
                throw new NumberFormatException(text);
            }
            var number = new BigDecimal(text.substring(0, digits));
            if (Math.abs(number.scale()) > LONGEST) {
                throw new NumberFormatException(text);
            }
            return number.multiply(unit);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "expected a quantity such as 4, 500m or 16Gi, found \"" + text + "\"", e);
        }
    }

    private static long rounded(BigDecimal number) {
        BigDecimal whole = number.setScale(0, RoundingMode.CEILING);
        return whole.min(MOST).max(MOST.negate()).longValueExact();
    }
}
