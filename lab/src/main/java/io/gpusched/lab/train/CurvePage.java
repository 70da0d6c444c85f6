package io.gpusched.lab.train;

import io.gpusched.lab.draw.Svg;

import java.util.List;
import java.util.Locale;

/// The curves of a training run as one HTML page that needs no other files and no network. It
/// follows the light or dark setting of the reader.
public final class CurvePage {
    /// The picture has fixed colours; in the dark its ink, grid and pale lines are replaced.
    private static final String STYLE =
            """
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff;
                   margin: 2rem auto; max-width: 1000px; padding: 0 1.5rem; }
            h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
            svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #e4e7ec; }
            td.best { font-weight: 700; }
            @media (prefers-color-scheme: dark) {
              body { color: #e6e6e6; background: #16181d; }
              th, td { border-color: #343a46; }
              text[fill='#222222'] { fill: #e6e6e6; } text[fill='#667085'] { fill: #a3acbd; }
              path[stroke='#e4e7ec'] { stroke: #2b303a; } path[stroke='#667085'] { stroke: #7b8496; }
              path[stroke='#a9cfe6'] { stroke: #1f4a66; } path[stroke='#b3dfd0'] { stroke: #1c4d3f; }
              path[stroke='#0072b2'] { stroke: #4aa8e0; } path[stroke='#009e73'] { stroke: #3cc79c; }
              path[stroke='#d55e00'] { stroke: #ff8a3d; } rect[fill='#d55e00'] { fill: #ff8a3d; }
            }
            """;

    private CurvePage() {}

    public static String of(CurvePicture picture, TrainingCurve curve) {
        var page = new StringBuilder("<!doctype html>\n<html lang='en'>\n<head>\n");
        page.append(
                "<meta charset='utf-8'>\n<meta name='viewport' content='width=device-width'>\n");
        page.append("<title>Training curve</title>\n<style>\n").append(STYLE);
        page.append("</style>\n</head>\n<body>\n<h1>").append(Svg.escape(picture.title()));
        page.append("</h1>\n").append(picture.svg());
        List<TrainingCurve.Point> evaluations = curve.evaluations();
        page.append("<p>").append(curve.updates()).append(" updates, ");
        page.append(evaluations.size()).append(" evaluations.</p>\n");
        if (!evaluations.isEmpty()) {
            table(page, evaluations);
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static void table(StringBuilder page, List<TrainingCurve.Point> evaluations) {
        int best = 0;
        for (int i = 1; i < evaluations.size(); i++) {
            best = evaluations.get(i).value() > evaluations.get(best).value() ? i : best;
        }
        page.append("<table>\n<tr><th>steps</th><th>evaluation</th></tr>\n");
        for (int i = 0; i < evaluations.size(); i++) {
            page.append(
                    String.format(
                            Locale.ROOT,
                            "<tr><td>%,.0f</td><td%s>%.3f</td></tr>%n",
                            evaluations.get(i).steps(),
                            i == best ? " class='best'" : "",
                            evaluations.get(i).value()));
        }
        page.append("</table>\n<p>The best evaluation, in bold, chose the best checkpoint.</p>\n");
    }
}
