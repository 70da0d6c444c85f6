package io.gpusched.lab;

import io.gpusched.lab.carbon.CarbonFigure;
import io.gpusched.lab.carbon.CarbonFiles;
import io.gpusched.lab.carbon.CarbonPage;
import io.gpusched.lab.carbon.CarbonRuns;
import io.gpusched.lab.carbon.Deadline;
import io.gpusched.lab.carbon.ExpectedFigures;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `lab carbon`: computes how much carbon is saved when jobs wait for cleaner power.
@Command(
        name = "carbon",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Computes how much carbon is saved when jobs wait for cleaner power.",
            "A job ends before its results are needed. It runs without a break (non) or may be",
            "interrupted (int).",
            "",
            "If lwa_expected.csv lies beside the intensity file, prints how many figures equal",
            "those.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab carbon --intensity samples/carbon/intensity.csv --jobs samples/carbon/jobs.csv"
                    + " \\",
            "      --strategy next_workday --error 0 --out savings.csv",
            "  lab carbon --intensity FILE --intensity FILE --jobs FILE --strategy all --error 0,5"
                    + " \\",
            "      --report docs/results/carbon.md",
            "",
            "docs/experiments/carbon.md describes the files."
        })
final class CarbonCommand implements Callable<Integer> {
    private static final Pattern REGION = Pattern.compile("lwa_([a-z]+)_ci.*|([^.]+).*");
    private static final String ALL = "all";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--intensity",
            paramLabel = "FILE",
            required = true,
            description =
                    "CSV file with grams of CO2 per kWh over time (Time,Carbon Intensity), sorted"
                            + " by time; may be repeated.")
    private List<Path> intensities = new ArrayList<>();

    @Option(
            names = "--jobs",
            paramLabel = "FILE",
            required = true,
            description = "CSV file with the jobs (job_id,arrival_min,duration_min), in minutes.")
    @SuppressWarnings("NullAway.Init")
    private Path jobs;

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Deadlines of the jobs: next_workday, semi_weekly, scenario1 or all (default"
                            + " all).")
    private List<String> strategies = new ArrayList<>();

    @Option(
            names = "--error",
            paramLabel = "PERCENT",
            split = ",",
            description = "Error of the forecast in percent, 0 to 100; may be a list (default 0).")
    private List<Double> errors = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "DATE",
            description = "Day of minute 0 of the jobs (default 2020-01-01).")
    private LocalDate from = LocalDate.of(2020, 1, 1);

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the figures to this file, as CSV.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        check();
        var figures = new ArrayList<CarbonFigure>();
        PrintWriter lines = spec.commandLine().getOut();
        lines.println(CarbonFigure.COLUMNS);
        PrintWriter err = spec.commandLine().getErr();
        try (var progress = StepProgress.of("strategies", steps(), err)) {
            for (Path intensity : intensities) {
                List<CarbonFigure> some = figures(intensity, progress);
                progress.clear();
                some.forEach(carbonFigure -> lines.println(carbonFigure.row()));
                lines.flush();
                figures.addAll(some);
                keep(figures);
            }
        }
        ExpectedFigures expected = ExpectedFigures.beside(intensities.getFirst());
        if (expected != null) {
            compare(figures, expected, lines);
        }
        if (report != null) {
            Output.write(report, CarbonPage.text(figures, expected));
        }
        lines.flush();
        return 0;
    }

    private void check() {
        for (String strategy : strategies) {
            var known = new ArrayList<>(Deadline.NAMES);
            known.addAll(List.of(CarbonRuns.NIGHTLY, ALL));
            if (!known.contains(strategy)) {
                throw new UserError(
                        "--strategy: expected one of %s, found %s"
                                .formatted(String.join(", ", known), strategy));
            }
        }
        for (double error : errors) {
            if (!(error >= 0 && error <= 100)) {
                throw new UserError("--error: expected a percentage 0 to 100, found " + error);
            }
        }
    }

    /// How many strategies are computed, counted for each file and each error of the forecast.
    private long steps() {
        long shifted = Arrays.stream(Deadline.values()).filter(d -> isAsked(d.toString())).count();
        return intensities.size()
                * (shifted * Math.max(1, errors.size()) + (isAsked(CarbonRuns.NIGHTLY) ? 1 : 0));
    }

    private List<CarbonFigure> figures(Path intensity, StepProgress progress) {
        var files = new CarbonFiles();
        double[] grams = files.intensity(intensity, from);
        var carbonRuns =
                new CarbonRuns(region(intensity), from, grams, files.jobs(jobs, grams.length));
        files.complaints().forEach(spec.commandLine().getErr()::println);
        spec.commandLine().getErr().flush();
        var figures = new ArrayList<CarbonFigure>();
        figures.add(carbonRuns.baseline());
        for (Deadline deadline : Deadline.values()) {
            if (isAsked(deadline.toString())) {
                for (double error : errors.isEmpty() ? List.of(0.0) : errors) {
                    progress.begin(region(intensity) + ", " + deadline);
                    figures.addAll(carbonRuns.savings(deadline, error));
                    progress.step();
                }
            }
        }
        if (isAsked(CarbonRuns.NIGHTLY)) {
            progress.begin(region(intensity) + ", " + CarbonRuns.NIGHTLY);
            figures.addAll(carbonRuns.nightly());
            progress.step();
        }
        return figures;
    }

    private boolean isAsked(String strategy) {
        return strategies.isEmpty() || strategies.contains(ALL) || strategies.contains(strategy);
    }

    private static String region(Path file) {
        Matcher name = REGION.matcher(String.valueOf(file.getFileName()));
        if (!name.matches()) {
            return "region";
        }
        return name.group(1) == null ? Objects.requireNonNull(name.group(2)) : name.group(1);
    }

    private static void compare(
            List<CarbonFigure> figures, ExpectedFigures expected, PrintWriter lines) {
        long known = figures.stream().filter(expected::knows).count();
        List<String> differences = expected.differences(figures);
        lines.printf(
                "%d of %d figures equal those of %s%n",
                known - differences.size(), known, ExpectedFigures.NAME);
        differences.forEach(lines::println);
    }

    private void keep(List<CarbonFigure> figures) {
        if (out != null) {
            var text = new StringBuilder(CarbonFigure.COLUMNS).append('\n');
            figures.forEach(carbonFigure -> text.append(carbonFigure.row()).append('\n'));
            Output.write(out, text.toString());
        }
    }
}
