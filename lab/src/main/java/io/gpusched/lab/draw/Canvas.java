package io.gpusched.lab.draw;

/// Something to draw on. Lengths are in pixels from the upper left corner, colours like `#0072b2`.
public interface Canvas {
    /// Where a text stands to its point.
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /// How a line looks.
    record Pen(String colour, double width, boolean dashed) {
        public Pen(String colour, double width) {
            this(colour, width, false);
        }
    }

    /// @param title shown when the pointer is over it; empty for none
    void rect(double x, double y, double width, double height, String fill, String title);

    void line(double x1, double y1, double x2, double y2, Pen pen);

    void path(double[] xs, double[] ys, Pen pen);

    void text(double x, double y, Anchor anchor, String colour, String text);
}
