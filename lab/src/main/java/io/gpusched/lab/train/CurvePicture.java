package io.gpusched.lab.train;

import io.gpusched.lab.draw.Canvas;
import io.gpusched.lab.draw.Colours;
import io.gpusched.lab.draw.Picture;
import io.gpusched.lab.draw.Png;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// The curves of a training run over its steps: on the left axis the returns of training episodes
/// and of evaluations, on the right axis the loss.
///
/// Returns and losses are thin lines, with their moving averages as thick lines above. A gap in a
/// column is skipped.
public final class CurvePicture implements Picture {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 540;
    private static final int LEFT = 70;
    private static final int RIGHT = 70;
    private static final int TOP = 64;
    private static final int BOTTOM = 56;
    private static final double MARK = 7;

    private static final String RETURN = Colours.of(0);
    private static final String EVALUATION = Colours.of(1);
    private static final String LOSS = Colours.of(2);
    private static final String PALE_RETURN = "#a9cfe6";
    private static final String PALE_LOSS = "#b3dfd0";

    private final String title;
    private final int window;
    private final List<TrainingCurve.Point> returns;
    private final List<TrainingCurve.Point> evaluations;
    private final List<TrainingCurve.Point> losses;
    private final ValueScale steps;
    private final ValueScale left;
    private final ValueScale right;

    /// @param window how many points a moving average has
    public CurvePicture(String title, TrainingCurve curve, int window) {
        this.title = title;
        this.window = window;
        this.returns = curve.returns();
        this.evaluations = curve.evaluations();
        this.losses = curve.losses();
        this.steps =
                ValueScale.upTo(
                        Stream.concat(losses.stream(), returns.stream())
                                .mapToDouble(TrainingCurve.Point::steps)
                                .max()
                                .orElse(1));
        this.left =
                ValueScale.around(values(Stream.concat(returns.stream(), evaluations.stream())));
        this.right = ValueScale.around(values(losses.stream()));
    }

    private static DoubleStream values(Stream<TrainingCurve.Point> points) {
        return points.mapToDouble(TrainingCurve.Point::value);
    }

    @Override
    public String name() {
        return "training";
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
        return HEIGHT;
    }

    /// Writes the picture as an image.
    public void write(Path file) throws IOException {
        var png = new Png(WIDTH, HEIGHT);
        draw(png);
        png.write(file);
    }

    @Override
    public void draw(Canvas canvas) {
        canvas.text(LEFT, 22, Canvas.Anchor.START, Colours.INK, title);
        legend(canvas);
        grid(canvas);
        line(canvas, losses, right, new Canvas.Pen(PALE_LOSS, 1));
        line(canvas, returns, left, new Canvas.Pen(PALE_RETURN, 1));
        line(canvas, TrainingCurve.smooth(losses, window), right, new Canvas.Pen(LOSS, 1.8, true));
        line(canvas, TrainingCurve.smooth(returns, window), left, new Canvas.Pen(RETURN, 2));
        line(canvas, evaluations, left, new Canvas.Pen(EVALUATION, 2));
        for (TrainingCurve.Point point : evaluations) {
            canvas.rect(
                    x(point.steps()) - MARK / 2,
                    y(left, point.value()) - MARK / 2,
                    MARK,
                    MARK,
                    EVALUATION,
                    String.format(
                            Locale.ROOT,
                            "evaluation after %,.0f steps: %.3f",
                            point.steps(),
                            point.value()));
        }
    }

    private void legend(Canvas canvas) {
        double next = LEFT;
        next = named(canvas, next, new Canvas.Pen(RETURN, 2), "return of training episodes");
        if (!evaluations.isEmpty()) {
            next = named(canvas, next, new Canvas.Pen(EVALUATION, 2), "evaluation");
        }
        next = named(canvas, next, new Canvas.Pen(LOSS, 1.8, true), "loss (right axis)");
        String about = window > 1 ? "thick: mean of " + window + " updates" : "";
        canvas.text(next, 46, Canvas.Anchor.START, Colours.SOFT, about);
    }

    private static double named(Canvas canvas, double x, Canvas.Pen pen, String words) {
        canvas.line(x, 42, x + 22, 42, pen);
        canvas.text(x + 28, 46, Canvas.Anchor.START, Colours.INK, words);
        return x + 28 + 6.9 * words.length() + 20;
    }

    private void grid(Canvas canvas) {
        var thin = new Canvas.Pen(Colours.GRID, 1);
        int low = HEIGHT - BOTTOM;
        for (ValueScale.Tick tick : steps.ticks()) {
            double x = LEFT + tick.at() * (WIDTH - LEFT - RIGHT);
            canvas.line(x, TOP, x, low, thin);
            canvas.text(x, low + 18, Canvas.Anchor.MIDDLE, Colours.SOFT, tick.label());
        }
        for (ValueScale.Tick tick : left.ticks()) {
            double y = low - tick.at() * (low - TOP);
            canvas.line(LEFT, y, WIDTH - RIGHT, y, thin);
            canvas.text(LEFT - 8, y + 4, Canvas.Anchor.END, Colours.SOFT, tick.label());
        }
        var axis = new Canvas.Pen(Colours.SOFT, 1);
        for (ValueScale.Tick tick : right.ticks()) {
            double y = low - tick.at() * (low - TOP);
            canvas.line(WIDTH - RIGHT, y, WIDTH - RIGHT + 4, y, axis);
            canvas.text(WIDTH - RIGHT + 8, y + 4, Canvas.Anchor.START, Colours.SOFT, tick.label());
        }
        canvas.line(LEFT, low, WIDTH - RIGHT, low, axis);
        canvas.line(WIDTH - RIGHT, TOP, WIDTH - RIGHT, low, axis);
        canvas.text(
                WIDTH / 2.0, HEIGHT - 14, Canvas.Anchor.MIDDLE, Colours.SOFT, "environment steps");
    }

    private void line(
            Canvas canvas, List<TrainingCurve.Point> points, ValueScale scale, Canvas.Pen pen) {
        var xs = new double[points.size()];
        var ys = new double[points.size()];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = x(points.get(i).steps());
            ys[i] = y(scale, points.get(i).value());
        }
        if (xs.length > 1) {
            canvas.path(xs, ys, pen);
        }
    }

    private double x(double value) {
        return LEFT + steps.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(ValueScale scale, double value) {
        int low = HEIGHT - BOTTOM;
        return low - scale.place(value) * (low - TOP);
    }
}
