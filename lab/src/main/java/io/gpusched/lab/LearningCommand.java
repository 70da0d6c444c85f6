package io.gpusched.lab;

import io.gpusched.lab.learning.LearningExperiments;

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

/// `lab learning`: measures how much learned runtimes improve waiting times, start estimates and
/// placement.
@Command(
        name = "learning",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the benefit of learning, with the production scheduler in simulated time.",
            "",
            "  backfill      waiting times of Philly jobs, planned by predictions and by limits",
            "  starts        how often waiting jobs start within the predicted range",
            "  interference  jobs that share GPUs and slow each other down",
            "  regret        cost of finding the best GPU model for each kind of job",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab learning --data DIR",
            "  lab learning --data DIR --part regret --part interference",
            "  lab learning --data DIR --report docs/results/learning-lab.md",
            "",
            "All parts together take about ten minutes, most of it for starts."
        })
final class LearningCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with philly_jobs.csv or philly_jobs.csv.gz.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--part",
            paramLabel = "PART",
            description =
                    "Part to run: backfill, starts, interference or regret; may be repeated"
                            + " (default: all).")
    private List<String> parts = new ArrayList<>();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Number of nodes with 8 GPUs that the Philly jobs run on (default 70).")
    private int nodes = LearningExperiments.usualNodes();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description =
                    "Number of jobs in each simulation of interference and regret (default 2000 and"
                            + " 5000).")
    private int jobs;

    @Option(
            names = "--worlds",
            paramLabel = "N",
            description = "Number of simulations of interference and regret (default 5).")
    private int worlds = LearningExperiments.usualWorlds();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write a page of results to this file, as Markdown, and regret.svg beside it.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        for (String part : parts) {
            if (!LearningExperiments.NAMES.contains(part)) {
                throw new UserError(
                        "--part: expected one of %s, found %s"
                                .formatted(String.join(", ", LearningExperiments.NAMES), part));
            }
        }
        var page = new StringBuilder();
        page.append("# What learning is worth\n\n");
        page.append(
                "Written by `bin/lab learning --data DIR --report FILE`: the production core in");
        page.append(" simulated time.\n\n");
        PrintWriter err = spec.commandLine().getErr();
        var experiments =
                new LearningExperiments(
                        data,
                        nodes,
                        jobs,
                        Math.max(1, worlds),
                        step -> {
                            err.println(step);
                            err.flush();
                        });
        for (String part : parts.isEmpty() ? LearningExperiments.NAMES : parts) {
            String section = experiments.run(part);
            page.append(section);
            spec.commandLine().getOut().print(section);
            spec.commandLine().getOut().flush();
            // After each part, so that what is done is kept.
            Output.write(report, page.toString().strip() + "\n");
        }
        if (report != null) {
            if (!experiments.plot().isEmpty()) {
                Output.write(report.resolveSibling("regret.svg"), experiments.plot());
            }
        }
        return 0;
    }
}
