package io.gpusched.lab;

import io.gpusched.lab.carbon.ScalerFiles;
import io.gpusched.lab.carbon.ScalerPage;
import io.gpusched.lab.carbon.ScalerRow;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab carbon-scaler`: plans the nodes of elastic jobs hour by hour so that they emit the least
/// carbon, and compares the plans with expected ones.
@Command(
        name = "carbon-scaler",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Plans how many nodes an elastic job uses in each hour until its deadline so that it",
            "emits the least carbon (CarbonScaler, SIGMETRICS 2024), for every row of the",
            "expected file, and prints how many plans and figures equal it.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab carbon-scaler --data samples/carbon-scaler",
            "  lab carbon-scaler --data DIR --carbon DIR --out schedules.csv \\",
            "      --report docs/results/carbon-scaler.md",
            "",
            "docs/experiments/carbon-scaler.md describes the files."
        })
final class CarbonScalerCommand implements Callable<Integer> {
    private static final int MOST_DIFFERENCES = 10;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with the jobs and their plans: " + ScalerFiles.EXPECTED + "…")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--carbon",
            paramLabel = "DIR",
            description = {
                "Directory with the hourly carbon intensity: " + ScalerFiles.INTENSITY + "…",
                "(default: that of --data, or carbon beside it)."
            })
    private @Nullable Path carbon;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the plans to this file, in the form of the expected file.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        Path hours = DataFolder.given(carbon, data, "carbon", ScalerFiles.INTENSITY);
        var files = new ScalerFiles(DataFolder.file("--carbon", hours, ScalerFiles.INTENSITY));
        var found = new ArrayList<ScalerRow>();
        var expected = new ArrayList<ScalerRow>();
        for (Path file : DataFolder.files("--data", data, ScalerFiles.EXPECTED)) {
            files.rows(
                    file,
                    (row, asked) -> {
                        expected.add(row);
                        found.add(asked.solve());
                    });
        }
        tell(expected, found);
        var lines = new ArrayList<String>(List.of(ScalerRow.COLUMNS));
        found.forEach(row -> lines.add(row.line()));
        Output.write(out, lines);
        if (report != null) {
            Output.write(report, ScalerPage.text(expected, found));
        }
        return 0;
    }

    private void tell(List<ScalerRow> expected, List<ScalerRow> found) {
        PrintWriter console = spec.commandLine().getOut();
        ScalerPage.savings(found).forEach(console::println);
        int equal = 0;
        int told = 0;
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).equals(expected.get(i))) {
                equal++;
            } else if (told++ < MOST_DIFFERENCES) {
                console.println("expected " + expected.get(i).line());
                console.println("found    " + found.get(i).line());
            }
        }
        console.printf("equal %d of %d%n", equal, found.size());
    }
}
