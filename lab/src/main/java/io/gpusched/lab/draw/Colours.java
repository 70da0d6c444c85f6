package io.gpusched.lab.draw;

import java.util.List;

/// Colours that are distinguishable with colour blindness, after Okabe and Ito.
public final class Colours {
    public static final String INK = "#222222";
    public static final String SOFT = "#667085";
    public static final String GRID = "#e4e7ec";
    public static final String STRIPE = "#f4f5f7";

    private static final List<String> ALL =
            List.of(
                    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6f4e37",
                    "#555555");

    private Colours() {}

    public static String of(int number) {
        return ALL.get(number % ALL.size());
    }

    /// After the last colour, the first again, dashed.
    public static Canvas.Pen pen(int number) {
        return new Canvas.Pen(of(number), 1.8, number >= ALL.size());
    }
}
