package io.gpusched.lab.carbon;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Writes the results of the carbon experiment as a Markdown page.
public final class CarbonPage {
    private CarbonPage() {}

    /// @param expected figures to compare with; null where there are none
    public static String text(List<CarbonFigure> figures, @Nullable ExpectedFigures expected) {
        var text = new StringBuilder();
        text.append("# Carbon saved by waiting\n\n");
        text.append("Written by `bin/lab carbon --intensity FILE … --jobs FILE --strategy all");
        text.append(" --error 0,5 --report FILE`.\n\n");
        text.append("\"Let's Wait Awhile\" (Middleware 2021), rerun: the jobs of a year are moved");
        text.append(" to where power is\ncleanest before their results are needed,");
        text.append(
                " in one piece (`non`) or in pieces (`int`).\nThe slots are chosen by the same");
        text.append(" code that the carbon gate of the scheduler uses.\n\n");
        if (expected != null) {
            long known = figures.stream().filter(expected::knows).count();
            long equal =
                    figures.stream().filter(f -> expected.knows(f) && expected.agrees(f)).count();
            text.append("**").append(equal).append(" of ").append(known);
            text.append("** figures equal those of an independent replica and the published ones,");
            text.append(" in every digit given.\n\n");
        }
        text.append(
                "| region | strategy | variant | forecast error | ours | replica | published |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (CarbonFigure carbonFigure : figures) {
            text.append("| ").append(carbonFigure.key().replace(",", " | "));
            text.append(" | ").append(carbonFigure.shown());
            text.append(" | ").append(expected == null ? "" : expected.found(carbonFigure));
            text.append(" | ").append(expected == null ? "" : expected.published(carbonFigure));
            text.append(" |\n");
        }
        text.append("\nSavings are in percent of the baseline, the baseline in tonnes of CO2 at");
        text.append(" 1 kW per job, `scenario1`\nin grams per kWh.\n");
        return text.toString();
    }
}
