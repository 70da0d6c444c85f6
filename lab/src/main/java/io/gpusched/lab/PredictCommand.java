package io.gpusched.lab;

import io.gpusched.lab.runtimes.PastJob;
import io.gpusched.lab.runtimes.PredictionContest;
import io.gpusched.lab.runtimes.PredictionErrors;
import io.gpusched.lab.runtimes.RuntimePage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// `lab predict`: predicts the runtimes of a recorded trace with the scheduler's runtime model.
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Predicts how long the jobs of a trace run, with the model that the scheduler learns.",
            "Each job is predicted at its submission, from jobs that were submitted before it.",
            "",
            "Prints the median error of the logarithm of the run time, beside that of two simple",
            "rules (0.69 is a factor of two), and the share of jobs that end within the predicted",
            "80 %% range.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab predict --data DIR",
            "  lab predict --data DIR --report docs/results/runtimes.md",
            "",
            "docs/experiments/runtimes.md describes the files of the directory."
        })
final class PredictCommand implements Callable<Integer> {
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
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        List<PastJob> jobs = PastJob.read(data, spec.commandLine().getErr()::println);
        if (jobs.isEmpty()) {
            throw new UserError("the trace in " + data + " has no jobs");
        }
        List<PredictionContest.Guess> guesses = new PredictionContest(jobs, true).run();
        PredictionErrors told = PredictionErrors.of("all", guesses);
        PredictionErrors untold =
                PredictionErrors.of("all", new PredictionContest(jobs, false).run());
        List<PredictionErrors> groups = PredictionErrors.groups(guesses);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%-12s %7s %10s %8s %7s %7s %8s%n",
                "group", "jobs", "all so far", "last 31", "model", "80 %", "width");
        groups.forEach(group -> print(out, group));
        print(out, told);
        out.printf(
                Locale.ROOT,
                "without starts, from ended jobs only: %.3f, %.1f %%%n",
                untold.ours(),
                100 * untold.inside());
        out.flush();
        if (report != null) {
            Output.write(report, RuntimePage.text(told, untold, groups));
        }
        return 0;
    }

    private static void print(PrintWriter out, PredictionErrors predictionErrors) {
        out.printf(
                Locale.ROOT,
                "%-12s %7d %10.3f %8.3f %7.3f %7.1f %8.1f%n",
                predictionErrors.name(),
                predictionErrors.jobs(),
                predictionErrors.running(),
                predictionErrors.recent(),
                predictionErrors.ours(),
                100 * predictionErrors.inside(),
                predictionErrors.width());
    }
}
