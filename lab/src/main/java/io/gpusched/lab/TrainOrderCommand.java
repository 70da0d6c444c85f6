package io.gpusched.lab;

import io.gpusched.lab.order.ClusterSlices;
import io.gpusched.lab.order.OrderObjective;
import io.gpusched.lab.order.OrderTraining;
import io.gpusched.lab.order.ProgressFile;
import io.gpusched.lab.order.SequenceObjective;
import io.gpusched.lab.order.SliceObjective;
import io.gpusched.lab.order.TrainingJobs;
import io.gpusched.lab.swf.SequenceStarts;
import io.gpusched.rl.evolve.EvolutionStrategy;
import io.gpusched.sim.trace.FileProblem;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.SwfReader;
import io.gpusched.sim.trace.Trace;
import io.gpusched.wire.model.ModelFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;

/// `lab train-order`: trains a learned queue order on a batch log.
@Command(
        name = "train-order",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Trains a learned queue order: a small network that scores waiting jobs, as the policy",
            "learned uses it. The production core runs the jobs.",
            "",
            "--format swf: sequences of a log in the Standard Workload Format, as lab swf runs"
                    + " them;",
            "no job of the test sequences, which lab swf draws by --test-seed, is used.",
            "--format philly: the jobs of the Philly trace before --split; lab evaluate-order uses",
            "the others.",
            "",
            "An interrupted run continues when the same command is given again.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab train-order --trace FILE --procs 256 --out order.model",
            "  lab swf --trace FILE --procs 256 --checkpoint order.model",
            "  lab train-order --format philly --trace FILE --out philly.model",
            "",
            "docs/experiments/learned-order.md explains the training."
        })
final class TrainOrderCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            required = true,
            description = "Jobs to train on, compressed with gzip or not.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    /// How the jobs are written.
    enum Format {
        SWF,
        PHILLY
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "swf",
            description = "Format of the jobs: swf or philly (default ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Format format;

    @Option(
            names = "--procs",
            paramLabel = "N",
            description =
                    "Number of processors, which --format swf needs; each is a core of one node.")
    private int procs;

    @Mixin private SliceOptions slices = new SliceOptions();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = {
                "Write the best model to this file, and beside it FILE.progress, from which an",
                "interrupted run continues."
            })
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the training (default ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--generations",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of generations (default ${DEFAULT-VALUE}).")
    private int generations;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "16",
            description =
                    "Mirrored pairs of candidates in a generation (default ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            defaultValue = "4",
            description = "Hidden units of the network (default ${DEFAULT-VALUE}).")
    private int hidden;

    @Option(
            names = "--spread",
            paramLabel = "X",
            defaultValue = "0.1",
            description =
                    "Standard deviation of the weights of candidates (default ${DEFAULT-VALUE}).")
    private double spread;

    @Option(
            names = "--rate",
            paramLabel = "X",
            defaultValue = "0.03",
            description =
                    "Learning rate of the first half; it falls then (default ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "16",
            description =
                    "Sequences or slices that judge each candidate; every other sequence backfills"
                            + " (default ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--length",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Number of jobs in a test sequence (default ${DEFAULT-VALUE}).")
    private int length;

    @Option(
            names = "--test-seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the test sequences (default ${DEFAULT-VALUE}).")
    private long testSeed;

    @Option(
            names = "--sequences",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of test sequences (default ${DEFAULT-VALUE}).")
    private int sequences;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of threads (default ${DEFAULT-VALUE}). The result does not depend on"
                            + " it.")
    private int threads;

    @Override
    public Integer call() {
        if (length < 1 || generations < 1 || batch < 1 || threads < 1) {
            throw new UserError(
                    "--length, --generations, --batch and --threads: expected numbers from 1 on");
        }
        if (pairs < 2 || hidden < 1 || hidden > 256) {
            throw new UserError("--pairs: expected 2 or more; --hidden: expected 1 to 256");
        }
        if (!(spread > 0) || !(rate > 0)) {
            throw new UserError("--spread and --rate: expected numbers above 0");
        }
        if (format == Format.SWF && procs < 1) {
            throw new UserError("--procs: expected a number from 1 on with --format swf");
        }
        PrintWriter console = spec.commandLine().getOut();
        train(format == Format.SWF ? sequences(console) : slices(console), console);
        return 0;
    }

    /// @param description all that the result follows from
    private record DescribedObjective(OrderObjective objective, String description) {}

    private DescribedObjective sequences(PrintWriter console) {
        Trace trace = SwfReader.read(file);
        int[] starts = SequenceStarts.draw(testSeed, trace.jobs().size(), length, sequences);
        var jobs = new TrainingJobs(trace.jobs(), starts, length);
        console.printf(
                "training on %d of %d jobs; the others are in the test sequences%n",
                jobs.size(), trace.jobs().size());
        console.flush();
        return new DescribedObjective(
                new SequenceObjective(jobs, procs, seed, batch),
                "%s, %d procs, length %d, %d test sequences of seed %d"
                        .formatted(description(trace), procs, length, sequences, testSeed));
    }

    private DescribedObjective slices(PrintWriter console) {
        Trace trace = PhillyReader.read(file);
        ClusterSlices sliced = slices.of(trace);
        if (sliced.early().size() < SliceObjective.FEWEST) {
            throw new UserError(
                    "--split: expected %d slices before it, found %d; choose a later --split or a smaller --slice"
                            .formatted(SliceObjective.FEWEST, sliced.early().size()));
        }
        console.printf(
                "training on %d slices; %d are held back%n",
                sliced.early().size(), sliced.late().size());
        console.flush();
        return new DescribedObjective(
                new SliceObjective(sliced, slices.bound(), seed, batch),
                description(trace) + ", " + slices.text());
    }

    private void train(DescribedObjective described, PrintWriter console) {
        var settings =
                new EvolutionStrategy.Settings(
                        pairs, spread, rate, EvolutionStrategy.Settings.USUAL.keep());
        var plan = new OrderTraining.Plan(settings, seed, generations, 5);
        Path stored = out.resolveSibling(out.getFileName() + ".progress");
        try (var training =
                        new OrderTraining(
                                plan, described.objective, begin(stored, described), threads);
                var progress =
                        StepProgress.of("generations", generations, spec.commandLine().getErr())) {
            progress.begin("training");
            if (training.generation() == 0) {
                keep(training, training.judgeRule(), described, progress, console);
            }
            for (int done = training.generation(); done > 0; done--) {
                progress.step();
            }
            while (!training.isOver()) {
                keep(training, training.next(), described, progress, console);
                progress.step();
            }
            progress.clear();
            console.printf("trained for %d generations; the best model is %s%n", generations, out);
        } catch (IOException e) {
            throw new UserError("cannot write %s: %s".formatted(out, FileProblem.with(e)));
        }
    }

    private void keep(
            OrderTraining training,
            OrderTraining.Result result,
            DescribedObjective described,
            StepProgress progress,
            PrintWriter console)
            throws IOException {
        if (result.best()) {
            ModelFile.write(out, training.best());
        }
        ProgressFile.write(
                out.resolveSibling(out.getFileName() + ".progress"),
                described.description,
                training.progress());
        if (!Double.isNaN(result.validation())) {
            progress.clear();
            console.printf(
                    Locale.ROOT,
                    "generation=%d %svalidation=%.4f%s%n",
                    result.generation(),
                    cost(result.cost()),
                    result.validation(),
                    result.best() ? " best" : "");
            console.flush();
        }
    }

    /// The rule that training begins with has run no training jobs.
    private static String cost(double cost) {
        return Double.isNaN(cost) ? "" : String.format(Locale.ROOT, "cost=%.4f ", cost);
    }

    private OrderTraining.Progress begin(Path stored, DescribedObjective described) {
        if (!Files.exists(stored)) {
            return OrderTraining.Progress.begin(seed, hidden);
        }
        try {
            return ProgressFile.read(stored, described.description);
        } catch (ProgressFile.Unusable unusable) {
            throw new UserError(String.valueOf(unusable.getMessage()));
        } catch (IOException e) {
            throw new UserError("cannot read %s: %s".formatted(stored, FileProblem.with(e)));
        }
    }

    private String description(Trace trace) {
        return "format %s, seed %d, %d generations of %d pairs, spread %s, rate %s, %d hidden, batch %d, %d jobs of %s"
                .formatted(
                        format,
                        seed,
                        generations,
                        pairs,
                        spread,
                        rate,
                        hidden,
                        batch,
                        trace.jobs().size(),
                        file.getFileName());
    }
}
