package io.gpusched.core.model;

import java.math.BigDecimal;

/// Counts with their nouns, for sentences: `1 task`, `2 tasks`.
public final class Plurals {
    private Plurals() {}

    /// `1 task`, `2 tasks`.
    public static String of(long count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    /// `1 GPU`, `2.5 GPUs`, of a number in thousandths.
    public static String milli(long milli, String one) {
        return milli % 1000 == 0
                ? of(milli / 1000, one)
                : BigDecimal.valueOf(milli, 3).stripTrailingZeros() + " " + one + "s";
    }
}
