package io.gpusched.lab;

import io.gpusched.lab.spot.ServingCase;
import io.gpusched.lab.spot.ServingExperiment;
import io.gpusched.lab.spot.ServingPage;
import io.gpusched.lab.spot.ServingRow;
import io.gpusched.lab.spot.ServingSummary;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab spot-serving`: a service is spread over the spot capacity of several zones.
@Command(
        name = "spot-serving",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a service of three instances on recorded spot capacity of several zones",
            "(\"SkyServe\", EuroSys 2025) with every published policy and with ours.",
            "",
            "Prints how many rows equal the expected ones, and the mean availability and cost of",
            "SpotHedge with one spare instance and of ours, in percent.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab spot-serving --data samples/spot",
            "  lab spot-serving --data DIR --out all.csv --report docs/results/spot-serving.md",
            "",
            "docs/experiments/spot.md describes the files."
        })
final class SpotServingCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description =
                    "Directory with one file traces_spot_serving* and one file"
                            + " expected_spot_serving*, as .csv or .csv.gz.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the rows to this CSV file, in the form of the expected results.")
    private @Nullable Path out;

    @Option(
            names = "--ours",
            paramLabel = "FILE",
            description = "Write the rows of our policy to this CSV file.")
    private @Nullable Path ours;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        ServingExperiment experiment = ServingExperiment.read(data);
        List<ServingCase> cases = experiment.cases();
        List<ServingCase> mine = experiment.ours();
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("windows", cases.size() + mine.size(), err)) {
            List<ServingRow> published = experiment.run(cases, over -> show(progress, over));
            List<ServingRow> own = experiment.run(mine, over -> show(progress, over));
            progress.clear();
            var summary = new ServingSummary(experiment, published, own);
            print(summary);
            write(out, published, experiment.lineEnd());
            write(ours, own, experiment.lineEnd());
            if (report != null) {
                Output.write(report, ServingPage.text(summary));
            }
        }
        return 0;
    }

    private static void show(StepProgress progress, ServingCase over) {
        progress.begin(over.trace() + ", " + over.policy());
        progress.step();
    }

    private void print(ServingSummary summary) {
        PrintWriter to = spec.commandLine().getOut();
        summary.equal().forEach(to::println);
        summary.differences().forEach(to::println);
        to.println();
        line(to, ServingSummary.columns());
        summary.table().forEach(cells -> line(to, cells));
        to.flush();
    }

    private static void line(PrintWriter to, List<String> cells) {
        to.println("%-18s %-8s %3s  %15s  %15s  %s".formatted(cells.toArray()).stripTrailing());
    }

    private static void write(@Nullable Path file, List<ServingRow> rows, String lineEnd) {
        var text = new StringBuilder(ServingRow.header()).append(lineEnd);
        rows.forEach(row -> text.append(row.text()).append(lineEnd));
        Output.write(file, text.toString());
    }
}
