package io.gpusched.lab.draw;

import java.util.Locale;

/// Draws SVG to embed in a page.
public final class Svg implements Canvas {
    private final StringBuilder text = new StringBuilder();

    /// @param title describes the picture for screen readers
    public Svg(int width, int height, String title) {
        text.append(
                form(
                        "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img' aria-label='",
                        width, height, width, height));
        text.append(escape(title)).append("'>\n");
    }

    @Override
    public void rect(double x, double y, double width, double height, String fill, String title) {
        text.append(form("<rect x='%.1f' y='%.1f' width='%.1f'", x, y, width));
        text.append(form(" height='%.1f' fill='%s'", height, fill));
        if (title.isEmpty()) {
            text.append("/>\n");
        } else {
            text.append("><title>").append(escape(title)).append("</title></rect>\n");
        }
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Pen pen) {
        path(new double[] {x1, x2}, new double[] {y1, y2}, pen);
    }

    @Override
    public void path(double[] xs, double[] ys, Pen pen) {
        text.append("<path d='");
        for (int i = 0; i < xs.length; i++) {
            text.append(form("%s%.1f %.1f", i == 0 ? "M" : "L", xs[i], ys[i]));
        }
        text.append(
                form("' fill='none' stroke='%s' stroke-width='%.1f'", pen.colour(), pen.width()));
        text.append(pen.dashed() ? " stroke-dasharray='6 3'/>\n" : "/>\n");
    }

    @Override
    public void text(double x, double y, Anchor anchor, String colour, String words) {
        String where = anchor.name().toLowerCase(Locale.ROOT);
        text.append(form("<text x='%.1f' y='%.1f' text-anchor='%s'", x, y, where));
        text.append(form(" fill='%s'>", colour)).append(escape(words)).append("</text>\n");
    }

    public String end() {
        return text.append("</svg>\n").toString();
    }

    public static String escape(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&quot;");
    }

    private static String form(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
