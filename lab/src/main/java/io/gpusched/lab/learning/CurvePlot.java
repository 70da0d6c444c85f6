package io.gpusched.lab.learning;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A picture of a few rising curves, as SVG.
final class CurvePlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int BOTTOM = 40;
    private static final int TOP = 20;
    private static final List<String> COLOURS =
            List.of("#0b6e4f", "#5fb49c", "#9c89b8", "#b23a48", "#e09f3e", "#335c81");

    private final String across;
    private final String up;
    private final Map<String, double[]> curves = new LinkedHashMap<>();

    CurvePlot(String across, String up) {
        this.across = across;
        this.up = up;
    }

    void add(String name, double[] curve) {
        curves.put(name, curve);
    }

    String svg() {
        double most = 1;
        int length = 1;
        for (double[] curve : curves.values()) {
            length = Math.max(length, curve.length);
            for (double each : curve) {
                most = Math.max(most, each);
            }
        }
        var text = new StringBuilder();
        text.append(
                line(
                        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'",
                        WIDTH, HEIGHT));
        text.append(" font-family='sans-serif' font-size='12'>\n");
        text.append(line("<rect width='%d' height='%d' fill='white'/>%n", WIDTH, HEIGHT));
        axes(text, most, length);
        int number = 0;
        for (var curve : curves.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            text.append("<polyline fill='none' stroke-width='2' stroke='").append(colour);
            text.append("' points='").append(points(curve.getValue(), most, length));
            text.append("'/>\n");
            int y = TOP + 16 + 16 * number;
            text.append(line("<text x='%d' y='%d' fill='%s'>", LEFT + 12, y, colour));
            text.append(curve.getKey()).append("</text>\n");
            number++;
        }
        return text.append("</svg>\n").toString();
    }

    private void axes(StringBuilder text, double most, int length) {
        int low = HEIGHT - BOTTOM;
        text.append(line("<path d='M%d %dV%dH%d' fill='none'", LEFT, TOP, low, WIDTH - 20));
        text.append(" stroke='black'/>\n");
        text.append(line("<text x='%d' y='%d'>%s</text>%n", WIDTH / 2, HEIGHT - 8, across));
        text.append(line("<text x='8' y='14'>%s</text>%n", up));
        for (int tick = 0; tick <= 4; tick++) {
            double y = low - (low - TOP) * tick / 4.0;
            double x = LEFT + (WIDTH - 20 - LEFT) * tick / 4.0;
            text.append(line("<text x='%d' y='%.0f'>", 24, y + 4));
            text.append(line("%.0f</text>%n", most * tick / 4));
            text.append(line("<text x='%.0f' y='%d'>", x - 12, low + 16));
            text.append(line("%.0f</text>%n", length * tick / 4.0));
        }
    }

    private static String points(double[] curve, double most, int length) {
        var points = new StringBuilder();
        int low = HEIGHT - BOTTOM;
        int step = Math.max(1, curve.length / 200);
        for (int i = 0; i < curve.length; i += step) {
            double x = LEFT + (double) (WIDTH - 20 - LEFT) * i / length;
            double y = low - (low - TOP) * curve[i] / most;
            points.append(line("%.1f,%.1f ", x, y));
        }
        return points.toString().strip();
    }

    private static String line(String format, Object... parts) {
        return String.format(Locale.ROOT, format, parts);
    }
}
