package io.gpusched.lab;

import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.swf.FirstOfModel;
import io.gpusched.lab.swf.JobSequence;
import io.gpusched.lab.swf.NextJob;
import io.gpusched.lab.swf.PublishedValues;
import io.gpusched.lab.swf.SequenceStarts;
import io.gpusched.lab.swf.SequenceTable;
import io.gpusched.lab.swf.SwfOrders;
import io.gpusched.lab.swf.SwfPage;
import io.gpusched.sim.trace.SwfReader;
import io.gpusched.sim.trace.Trace;
import io.gpusched.sim.trace.TraceJob;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// `lab swf`: runs job sequences from a log in the Standard Workload Format and compares the
/// results with the tables of RLScheduler (SC 2020).
@Command(
        name = "swf",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs sequences of jobs from a log in the Standard Workload Format, as in the tables",
            "of RLScheduler (SC 2020): on one machine with many cores, job by job in a fixed",
            "order.",
            "",
            "Prints means over the sequences, and how many values equal the published ones if",
            "expected_sequences.csv lies beside the trace.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab swf --trace FILE --procs 256 --policy fcfs,sjf,f1 --out table.csv",
            "  lab swf --trace samples/batch.swf --procs 64 --length 50 --policy wfp3,unicep",
            "  lab swf --trace FILE --procs 256 --checkpoint shipped --backfill",
            "",
            "docs/experiments/swf.md explains the tables."
        })
final class SwfCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            required = true,
            description = "Log in the Standard Workload Format, compressed with gzip or not.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--procs",
            paramLabel = "N",
            required = true,
            description = "Number of processors; each is a core of one node.")
    private int procs;

    @Option(
            names = "--policy",
            paramLabel = "P",
            split = ",",
            description =
                    "Queue orders, separated by commas: fcfs, sjf, f1, wfp3, unicep, index (default"
                            + " fcfs,sjf,f1).")
    private List<String> policies = new ArrayList<>(List.of("fcfs", "sjf", "f1"));

    @Option(
            names = "--checkpoint",
            paramLabel = "FILE",
            description = {
                "Add the row learned: the order of this model, which lab train-order wrote, or",
                "shipped for the model that ships with the lab."
            })
    private @Nullable String checkpoint;

    @Option(
            names = "--backfill",
            description = "Backfill: start a later job if it ends before the chosen job can start.")
    private boolean backfill;

    @Option(
            names = "--paper-quirk",
            description = {
                "Also run wfp and uni: the published columns of these names result from a mistake",
                "and are neither WFP3 nor UNICEP."
            })
    private boolean quirk;

    @Option(
            names = "--length",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Number of jobs in a sequence (default ${DEFAULT-VALUE}).")
    private int length;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Seed of the random number generator that chooses the sequences (default"
                            + " ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--sequences",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of sequences (default ${DEFAULT-VALUE}).")
    private int sequences;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write every value to this CSV file: " + SequenceTable.HEADER + ".")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, with and without backfilling.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        if (procs < 1 || sequences < 1 || length < 1) {
            throw new UserError("--procs, --length and --sequences: expected numbers from 1 on");
        }
        var names = new LinkedHashSet<>(policies);
        if (quirk) {
            names.addAll(SwfOrders.QUIRKS);
        }
        for (String name : names) {
            if (SwfOrders.named(name, quirk) == null) {
                throw new UserError(SwfOrders.unknown(name));
            }
        }
        ScoreModel learned = checkpoint == null ? null : OrderModels.batch(checkpoint);
        if (learned != null) {
            names.add(SwfPage.LEARNED);
        }
        Trace trace = SwfReader.read(file);
        checkSizes(trace);
        PrintWriter to = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        trace.remarks().forEach(err::println);
        int[] starts = SequenceStarts.draw(seed, trace.jobs().size(), length, sequences);
        PublishedValues publishedValues = PublishedValues.beside(file);
        var tables = new ArrayList<SequenceTable>();
        List<Boolean> ways = report == null ? List.of(backfill) : List.of(false, true);
        long all = (long) ways.size() * names.size() * sequences;
        try (var progress = StepProgress.of("sequences", all, err)) {
            for (boolean backfills : ways) {
                var sequenceTable =
                        new SequenceTable(
                                new SequenceTable.Setup(name(), backfills, length, seed),
                                publishedValues);
                tables.add(sequenceTable);
                for (String policy : names) {
                    progress.begin(policy);
                    Supplier<NextJob> order = order(policy, learned, backfills);
                    for (int i = 0; i < starts.length; i++) {
                        List<TraceJob> jobs = trace.jobs().subList(starts[i], starts[i] + length);
                        var sequence = new JobSequence(jobs, procs, order.get(), backfills);
                        sequenceTable.add(i, starts[i], policy, sequence.run());
                        progress.step();
                    }
                    keep(tables);
                }
                progress.clear();
                print(sequenceTable, to);
            }
        }
        if (report != null) {
            Output.write(report, SwfPage.text(report, tables));
        }
        return 0;
    }

    private void checkSizes(Trace trace) {
        for (TraceJob job : trace.jobs()) {
            if (job.ask().milliCpu() > procs * 1000L) {
                throw new UserError(
                        "job %s of %s asks for %d processors, but --procs says there are %d; raise --procs"
                                .formatted(
                                        job.name(),
                                        trace.file(),
                                        job.ask().milliCpu() / 1000,
                                        procs));
            }
        }
    }

    /// As the published rows call the trace.
    private String name() {
        return String.valueOf(file.getFileName()).replaceFirst("\\.swf(\\.gz)?$", "");
    }

    private Supplier<NextJob> order(
            String policy, @Nullable ScoreModel learned, boolean backfills) {
        if (learned != null && policy.equals(SwfPage.LEARNED)) {
            return () -> new FirstOfModel(learned, backfills);
        }
        QueueOrder order = Objects.requireNonNull(SwfOrders.named(policy, quirk));
        return () -> NextJob.by(order);
    }

    private static void print(SequenceTable sequenceTable, PrintWriter to) {
        SequenceTable.Setup setup = sequenceTable.setup();
        to.printf(
                "%s, %d jobs a sequence, %s backfilling%n",
                setup.trace(), setup.length(), setup.backfill() ? "with" : "without");
        to.printf(
                "%-8s %12s %10s %12s  %s%n",
                "policy", "slowdown", "wait s", "utilization", "equal");
        for (List<String> row : sequenceTable.means()) {
            to.printf("%-8s %12s %10s %12s  %s%n", row.toArray());
        }
        to.println(
                sequenceTable.compared() == 0
                        ? "no published results to compare with"
                        : String.format(
                                Locale.ROOT,
                                "equal to 4 digits %d of %d",
                                sequenceTable.equal(),
                                sequenceTable.compared()));
        to.flush();
    }

    /// Again after each policy, so that what is done is kept.
    private void keep(List<SequenceTable> tables) {
        var lines = new ArrayList<String>();
        lines.add(SequenceTable.HEADER);
        tables.forEach(sequenceTable -> lines.addAll(sequenceTable.lines()));
        Output.write(out, lines);
    }
}
