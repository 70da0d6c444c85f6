package io.gpusched.lab.compare;

import io.gpusched.lab.draw.Canvas;
import io.gpusched.lab.draw.Colours;
import io.gpusched.lab.draw.Picture;
import io.gpusched.sim.metrics.RunMeasurements;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A Gantt chart of the first hours: a lane for each GPU, a colour for each tenant. A red end means
/// that the run was interrupted.
final class Gantt implements Picture {
    private static final String CUT = "#b00020";
    private static final int WIDTH = 760;
    private static final int LEFT = 92;
    private static final int RIGHT = 24;
    private static final int TOP = 54;
    private static final int BELOW = 34;
    private static final int LANE = 5;
    private static final int GAP = 4;
    private static final int MOST_TENANTS = 7;
    private static final int MOST_LETTERS = 12;

    private final String name;
    private final String title;
    private final List<String> tenants;
    private final List<RunMeasurements.Bar> bars;
    private final Map<String, Integer> lanes = new LinkedHashMap<>();
    private final Map<String, Integer> tops = new LinkedHashMap<>();
    private final Axis hours;
    private final int bottom;

    /// @param tenants gives every tenant its colour
    /// @param seconds the length of the time shown
    Gantt(
            String name,
            String title,
            List<String> tenants,
            List<RunMeasurements.Bar> bars,
            double seconds) {
        this.name = name;
        this.title = title;
        this.tenants = tenants;
        this.bars = bars;
        this.hours = new Axis("", Math.max(1, seconds), Axis.Kind.TIME);
        var nodes = new ArrayList<String>();
        for (RunMeasurements.Bar bar : bars) {
            if (!lanes.containsKey(bar.node())) {
                nodes.add(bar.node());
            }
            lanes.merge(bar.node(), bar.gpu() + bar.gpus(), Math::max);
        }
        nodes.sort(Comparator.comparingInt(String::length).thenComparing(node -> node));
        nodes.sort(Comparator.comparing(node -> node.replaceAll("[0-9]+$", "")));
        int y = TOP;
        for (String node : nodes) {
            tops.put(node, y);
            y += lanes.getOrDefault(node, 0) * LANE + GAP;
        }
        bottom = y;
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
        return bottom + BELOW;
    }

    private double x(double seconds) {
        return LEFT + hours.place(seconds) * (WIDTH - LEFT - RIGHT);
    }

    @Override
    public void draw(Canvas canvas) {
        canvas.text(LEFT, 18, Canvas.Anchor.START, Colours.INK, title);
        legend(canvas);
        tops.forEach(
                (node, y) -> {
                    int height = lanes.getOrDefault(node, 0) * LANE;
                    canvas.rect(LEFT, y, WIDTH - LEFT - RIGHT, height, Colours.STRIPE, "");
                    String shown =
                            node.length() > MOST_LETTERS
                                    ? node.substring(0, MOST_LETTERS - 1) + "…"
                                    : node;
                    double middle = y + height / 2.0 + 4;
                    canvas.text(LEFT - 8, middle, Canvas.Anchor.END, Colours.SOFT, shown);
                });
        for (Axis.Tick tick : hours.ticks()) {
            double x = LEFT + tick.at() * (WIDTH - LEFT - RIGHT);
            canvas.line(x, TOP, x, bottom - GAP, new Canvas.Pen(Colours.GRID, 1));
            canvas.text(x, bottom + 16, Canvas.Anchor.MIDDLE, Colours.SOFT, tick.label());
        }
        bars.forEach(bar -> draw(canvas, bar));
    }

    private void legend(Canvas canvas) {
        double x = LEFT;
        for (int i = 0; i < Math.min(tenants.size(), MOST_TENANTS); i++) {
            canvas.rect(x, 28, 12, 12, Colours.of(i), "");
            canvas.text(x + 17, 39, Canvas.Anchor.START, Colours.INK, tenants.get(i));
            x += 34 + 7.2 * tenants.get(i).length();
        }
        canvas.rect(x, 28, 3, 12, CUT, "");
        canvas.text(x + 8, 39, Canvas.Anchor.START, Colours.INK, "cut short");
    }

    private void draw(Canvas canvas, RunMeasurements.Bar bar) {
        double left = x(bar.from());
        double right = Math.max(left + 0.6, x(bar.to()));
        double y = tops.getOrDefault(bar.node(), TOP) + (double) bar.gpu() * LANE;
        double height = (double) bar.gpus() * LANE - 0.8;
        String says =
                String.format(
                        Locale.ROOT,
                        "job %d of %s, %d GPUs on %s, %.2f h to %.2f h%s",
                        bar.job(),
                        bar.tenant(),
                        bar.gpus(),
                        bar.node(),
                        bar.from() / 3600,
                        bar.to() / 3600,
                        bar.interrupted() ? ", cut short" : "");
        String colour = Colours.of(Math.max(0, tenants.indexOf(bar.tenant())));
        canvas.rect(left, y, Math.max(0.6, right - left - 0.6), height, colour, says);
        if (bar.interrupted()) {
            canvas.rect(Math.max(left, right - 2.6), y, 2, height, CUT, "");
        }
    }
}
