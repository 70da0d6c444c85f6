package io.gpusched.lab;

import io.gpusched.lab.spot.DeadlineCase;
import io.gpusched.lab.spot.DeadlineExperiment;
import io.gpusched.lab.spot.DeadlinePage;
import io.gpusched.lab.spot.DeadlineRow;
import io.gpusched.lab.spot.DeadlineSummary;

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
import java.util.function.Predicate;
import java.util.stream.Stream;

/// `lab spot-deadline`: batch jobs with a deadline move between spot capacity and on demand.
@Command(
        name = "spot-deadline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs batch jobs with a deadline on recorded spot capacity (\"Can't Be Late\",",
            "NSDI 2024) with every published policy, with perfect knowledge, and with the rule of",
            "the scheduler (ours).",
            "",
            "Prints how many figures equal the expected ones, the mean cost of a run in dollars,",
            "and how many runs ended after their deadline.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab spot-deadline --data samples/spot",
            "  lab spot-deadline --data DIR --overhead 0.15,0.2",
            "  lab spot-deadline --data DIR --out all.csv --report docs/results/spot-deadline.md",
            "",
            "docs/experiments/spot.md describes the files."
        })
final class SpotDeadlineCommand implements Callable<Integer> {
    private static final List<String> MORE_OVERHEADS = List.of("0.01", "0.15", "0.2");

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description =
                    "Directory with one file traces_spot_deadline* and one file"
                            + " expected_spot_deadline*, as .csv or .csv.gz.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--overhead",
            paramLabel = "HOURS",
            split = ",",
            description =
                    "Hours that every start costs; may be a list (default: those of the expected"
                            + " results).")
    private List<String> overheads = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description =
                    "Write the figures to this CSV file, in the form of the expected results.")
    private @Nullable Path out;

    @Option(
            names = "--ours",
            paramLabel = "FILE",
            description = "Write the runs of the rule of the scheduler to this CSV file.")
    private @Nullable Path ours;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write a page of results to this file, as Markdown; runs overheads of 0.01,"
                            + " 0.15 and 0.2 hours as well.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        overheads.forEach(SpotDeadlineCommand::check);
        DeadlineExperiment experiment = DeadlineExperiment.read(data);
        DeadlineSummary summary = run(experiment, overheads);
        print(summary);
        List<DeadlineRow> rows = summary.rows();
        String lineEnd = experiment.lineEnd();
        write(out, DeadlineRow.header(), rows.stream().map(DeadlineRow::text), lineEnd);
        write(ours, DeadlineRow.oursHeader(), rows.stream().map(DeadlineRow::ours), lineEnd);
        if (report != null) {
            Output.write(report, DeadlinePage.text(summary, run(experiment, MORE_OVERHEADS)));
        }
        return 0;
    }

    private static void check(String overhead) {
        try {
            double hours = Double.parseDouble(overhead);
            if (hours >= 0 && hours <= 1) {
                return;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, as a number out of range is.
        }
        throw new UserError("--overhead: expected hours from 0 to 1, found " + overhead);
    }

    private DeadlineSummary run(DeadlineExperiment experiment, List<String> hours) {
        List<DeadlineCase> cases = experiment.cases(hours);
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("runs", cases.size(), err)) {
            List<DeadlineRow> rows =
                    experiment.run(
                            cases,
                            over -> {
                                progress.begin(over.region());
                                progress.step();
                            });
            progress.clear();
            return new DeadlineSummary(experiment, rows);
        }
    }

    private void print(DeadlineSummary summary) {
        PrintWriter to = spec.commandLine().getOut();
        summary.equal().forEach(to::println);
        summary.differences().forEach(to::println);
        Predicate<DeadlineCase> first = summary.chosenOn();
        to.printf(
                "%n%-12s %12s %12s %12s %7s%n",
                "mean $", "all", "first half", "second half", "missed");
        for (String policy : DeadlineSummary.POLICIES) {
            to.printf(
                    "%-12s %12s %12s %12s %7d%n",
                    policy,
                    summary.mean(policy, given -> true),
                    summary.mean(policy, first),
                    summary.mean(policy, first.negate()),
                    summary.missed(policy, given -> true));
        }
        to.flush();
    }

    private static void write(
            @Nullable Path file, String header, Stream<String> rows, String lineEnd) {
        var text = new StringBuilder(header).append(lineEnd);
        rows.forEach(row -> text.append(row).append(lineEnd));
        Output.write(file, text.toString());
    }
}
