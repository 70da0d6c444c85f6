package io.gpusched.lab.compare;

import io.gpusched.lab.draw.Canvas;
import io.gpusched.lab.draw.Colours;
import io.gpusched.lab.draw.Picture;

import java.util.ArrayList;
import java.util.List;

/// A line chart with a legend above.
final class Chart implements Picture {
    private static final int WIDTH = 760;
    private static final int PLOT = 280;
    private static final int LEFT = 64;
    private static final int RIGHT = 24;
    private static final int BELOW = 44;
    private static final int ROW = 18;
    private static final double LETTER = 7.2;

    /// A line: as many places across as up.
    record Line(String name, List<Double> across, List<Double> up) {
        Line {
            across = List.copyOf(across);
            up = List.copyOf(up);
        }
    }

    private record Named(int line, double x, int row) {}

    private final String name;
    private final String title;
    private final Axis across;
    private final Axis up;
    private final List<Line> lines;
    private final List<Named> names = new ArrayList<>();

    Chart(String name, String title, Axis across, Axis up, List<Line> lines) {
        this.name = name;
        this.title = title;
        this.across = across;
        this.up = up;
        this.lines = List.copyOf(lines);
        double x = LEFT;
        int row = 0;
        for (int i = 0; i < lines.size(); i++) {
            double takes = 34 + LETTER * lines.get(i).name().length();
            if (x > LEFT && x + takes > WIDTH - RIGHT) {
                x = LEFT;
                row++;
            }
            names.add(new Named(i, x, row));
            x += takes;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return top() + PLOT + BELOW;
    }

    private int top() {
        int rows = names.isEmpty() ? 0 : names.getLast().row + 1;
        return 28 + ROW * rows + 14;
    }

    private double x(double value) {
        return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return top() + PLOT - up.place(value) * PLOT;
    }

    @Override
    public void draw(Canvas canvas) {
        canvas.text(LEFT, 18, Canvas.Anchor.START, Colours.INK, title);
        for (Named named : names) {
            double y = 38 + ROW * named.row;
            canvas.line(named.x, y - 4, named.x + 18, y - 4, Colours.pen(named.line));
            String text = lines.get(named.line).name();
            canvas.text(named.x + 23, y, Canvas.Anchor.START, Colours.INK, text);
        }
        grid(canvas);
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            var xs = new double[line.across().size()];
            var ys = new double[xs.length];
            for (int k = 0; k < xs.length; k++) {
                xs[k] = x(line.across().get(k));
                ys[k] = y(line.up().get(k));
            }
            if (xs.length > 1) {
                canvas.path(xs, ys, Colours.pen(i));
            }
        }
    }

    private void grid(Canvas canvas) {
        var thin = new Canvas.Pen(Colours.GRID, 1);
        int low = top() + PLOT;
        double lastLabel = Double.NEGATIVE_INFINITY;
        for (Axis.Tick tick : across.ticks()) {
            double x = LEFT + tick.at() * (WIDTH - LEFT - RIGHT);
            canvas.line(x, top(), x, low, thin);
            if (x - lastLabel > 6 * LETTER) {
                canvas.text(x, low + 16, Canvas.Anchor.MIDDLE, Colours.SOFT, tick.label());
                lastLabel = x;
            }
        }
        for (Axis.Tick tick : up.ticks()) {
            double y = low - tick.at() * PLOT;
            canvas.line(LEFT, y, WIDTH - RIGHT, y, thin);
            canvas.text(LEFT - 8, y + 4, Canvas.Anchor.END, Colours.SOFT, tick.label());
        }
        canvas.line(LEFT, low, WIDTH - RIGHT, low, new Canvas.Pen(Colours.SOFT, 1));
        double middle = (LEFT + WIDTH - RIGHT) / 2.0;
        canvas.text(middle, low + 36, Canvas.Anchor.MIDDLE, Colours.SOFT, across.title());
    }
}
