package io.gpusched.lab.evaluate;

import io.gpusched.rl.Evaluation;

import java.util.List;
import java.util.Locale;

/// Returns of all episodes as dots, one line per player, with the mean and the blocks' means above.
public final class ScorePlot {
    private static final int WIDTH = 720;
    private static final int LEFT = 150;
    private static final int ROW = 46;
    private static final int TOP = 24;
    private static final double LEAST = -1;
    private static final double MOST = 1;

    private ScorePlot() {}

    /// The line of a page that shows the picture in this file.
    public static String shownAs(String file) {
        return "\n![returns of all episodes, the means of blocks and the mean](" + file + ")\n";
    }

    /// As SVG.
    public static String svg(List<Evaluation.Outcome> outcomes) {
        int height = TOP + ROW * outcomes.size() + 40;
        double from = least(outcomes);
        var text = new StringBuilder();
        text.append(
                line(
                        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'"
                                + " font-family='sans-serif' font-size='12'>%n",
                        WIDTH, height));
        text.append(line("<rect width='%d' height='%d' fill='white'/>%n", WIDTH, height));
        for (int i = 0; i <= 4; i++) {
            double at = from + (MOST - from) * i / 4;
            text.append(
                    line(
                            "<path d='M%.1f %dV%d' stroke='#ddd'/><text x='%.1f' y='%d'"
                                    + " text-anchor='middle'>%.2f</text>%n",
                            x(at, from), TOP, height - 32, x(at, from), height - 16, at));
        }
        for (int i = 0; i < outcomes.size(); i++) {
            row(text, outcomes.get(i), TOP + ROW * i + ROW / 2, from);
        }
        return text.append("</svg>\n").toString();
    }

    private static void row(StringBuilder text, Evaluation.Outcome outcome, int y, double from) {
        text.append(
                line(
                        "<text x='%d' y='%d' text-anchor='end'>%s</text>%n",
                        LEFT - 12, y + 4, outcome.player()));
        for (Evaluation.Episode episode : outcome.episodes()) {
            text.append(
                    line(
                            "<circle cx='%.1f' cy='%d' r='3' fill='#335c81' fill-opacity='.35'/>%n",
                            x(episode.total(), from), y));
        }
        for (double block : outcome.blocks()) {
            text.append(
                    line(
                            "<path d='M%.1f %dv10' stroke='#e09f3e' stroke-width='2'/>%n",
                            x(block, from), y - 16));
        }
        text.append(
                line(
                        "<path d='M%.1f %dv26' stroke='#b23a48' stroke-width='3'/>%n",
                        x(outcome.mean(), from), y - 13));
    }

    private static double least(List<Evaluation.Outcome> outcomes) {
        double least = 0;
        for (Evaluation.Outcome outcome : outcomes) {
            for (Evaluation.Episode episode : outcome.episodes()) {
                least = Math.min(least, episode.total());
            }
        }
        return Math.max(LEAST, Math.floor(least * 4) / 4);
    }

    private static double x(double value, double from) {
        double part = (Math.clamp(value, from, MOST) - from) / (MOST - from);
        return LEFT + part * (WIDTH - LEFT - 30);
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
