package io.gpusched.bench.report;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// Results as the page people read.
final class ResultPage {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final StringBuilder text = new StringBuilder();

    private ResultPage() {}

    /// @param name of the file, without what follows the dot
    static String of(String name, List<Result> results) {
        var resultPage = new ResultPage();
        resultPage.head(name, results);
        results.forEach(resultPage::section);
        return resultPage.text.toString();
    }

    private void head(String name, List<Result> results) {
        long targets = results.stream().mapToLong(result -> aimed(result, false)).sum();
        long reached = results.stream().mapToLong(result -> aimed(result, true)).sum();
        line("# Measured figures");
        line("");
        line(
                "Written by `bin/bench`, not by hand; `"
                        + name
                        + ".json` beside it has the same figures.");
        line("Run again: `bin/bench` for all (under ten minutes on an otherwise idle machine),");
        line(
                "`bin/bench NAME...` for some, `bin/bench --list` for the names. A bench replaces"
                        + " its");
        line("own section and leaves the others.");
        line("");
        line("Targets reached: " + reached + " of " + targets + ".");
        line("");
        line("| bench | figure | measured | target | reached |");
        line("|---|---|---:|---:|---|");
        for (Result result : results) {
            for (Figure figure : result.figures()) {
                if (!(figure.target() instanceof Target.None)) {
                    line("| " + result.bench() + " " + row(figure, false));
                }
            }
        }
    }

    private void section(Result result) {
        line("");
        line("## " + result.bench() + ": " + result.title());
        line("");
        line(result.how());
        line("");
        line("| figure | measured | target | reached | |");
        line("|---|---:|---:|---|---|");
        result.figures().forEach(figure -> line(row(figure, true)));
        line("");
        line(
                "Measured "
                        + DAY.format(result.measured())
                        + " UTC on "
                        + words(result.machineDescription()));
    }

    private static long aimed(Result result, boolean reachedOnly) {
        return result.figures().stream()
                .filter(figure -> !(figure.target() instanceof Target.None))
                .filter(figure -> !reachedOnly || figure.reached())
                .count();
    }

    private static String row(Figure figure, boolean withNote) {
        boolean aimed = !(figure.target() instanceof Target.None);
        String verdict = !aimed ? "" : figure.reached() ? "yes" : "**no**";
        return "| "
                + String.join(" | ", figure.name(), figure.amount(), figure.wanted(), verdict)
                + (withNote ? " | " + figure.note() : "")
                + " |";
    }

    private static String words(MachineDescription machineDescription) {
        String load =
                machineDescription.load() < 0
                        ? ""
                        : "; load before: " + Figure.number(machineDescription.load());
        return machineDescription.cores()
                + " cores ("
                + machineDescription.processor()
                + "), "
                + Math.round(machineDescription.memoryMiB() / 1024.0)
                + " GiB of memory, "
                + machineDescription.kernel()
                + ", "
                + machineDescription.jdk()
                + load
                + ".";
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
