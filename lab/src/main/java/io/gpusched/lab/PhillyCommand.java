package io.gpusched.lab;

import io.gpusched.lab.philly.LucidTable;
import io.gpusched.lab.philly.VirtualCluster;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.Trace;
import io.gpusched.sim.trace.TraceJob;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/// `lab philly`: runs the jobs of one virtual cluster of the Philly trace and compares the results
/// with those of Lucid's simulator (ASPLOS 2023).
@Command(
        name = "philly",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the jobs of one virtual cluster of the Philly trace on nodes with 8 GPUs, in",
            "the setting of Lucid's simulator (ASPLOS 2023): run times are known in advance.",
            "",
            "Prints mean completion and queueing times in seconds, and compares them with",
            "expected_lucid_sim.csv if it lies beside the trace.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab philly --trace FILE --vc 103959 --nodes 3 --from 2017-10-01 \\",
            "      --to \"2017-11-30 23:59:00\" --policy fifo,sjf,srtf,tiresias --out table.csv",
            "  lab philly --trace samples/philly.csv --vc vc-a --nodes 2",
            "",
            "docs/experiments/philly.md explains the tables."
        })
final class PhillyCommand implements Callable<Integer> {
    private static final int GPUS_PER_NODE = 8;

    private static final int MOST_NODES = 100_000;

    /// Every virtual cluster.
    private static final String ALL = "all";

    /// The rule of the core instead of rounds.
    private static final String CORE = "-core";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            required = true,
            description = "CSV file with the jobs: timestamp,duration,num_gpus,gpu_time,cluster.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--vc",
            paramLabel = "ID",
            required = true,
            description = "Virtual cluster whose jobs to run; all for every virtual cluster.")
    @SuppressWarnings("NullAway.Init")
    private String vc;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            required = true,
            description = "Number of nodes with 8 GPUs.")
    private int nodes;

    @Option(
            names = "--from",
            paramLabel = "DATE",
            defaultValue = "1970-01-01",
            description =
                    "First submission to include, such as 2017-10-01 or \"2017-10-01 08:30:00\""
                            + " (default: the first).")
    @SuppressWarnings("NullAway.Init")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "DATE",
            defaultValue = "2999-12-31",
            description = {
                "Last submission to include; a day without a time means 23:59:00 (default: the"
                        + " last)."
            })
    @SuppressWarnings("NullAway.Init")
    private String to;

    @Option(
            names = "--policy",
            paramLabel = "P",
            split = ",",
            description = {
                "Policies, separated by commas: fifo, sjf, srtf, tiresias as published (default),",
                "srtf-core and tiresias-core, which preempt only jobs whose GPUs the next job",
                "needs, and the policies of lab simulate."
            })
    private List<String> policies = new ArrayList<>(VirtualCluster.POLICIES);

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the table to this CSV file: " + LucidTable.HEADER + ".")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        policies.forEach(PhillyCommand::check);
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new UserError("--nodes: expected 1 to " + MOST_NODES + ", found " + nodes);
        }
        Trace trace = PhillyReader.read(file);
        PrintWriter err = spec.commandLine().getErr();
        trace.remarks().forEach(err::println);
        var cluster = new VirtualCluster(jobs(trace), nodes);
        var table = new LucidTable(vc, nodes, file);
        PrintWriter console = spec.commandLine().getOut();
        console.printf(
                "%-14s %6s %12s %12s %10s %8s %7s  %s%n",
                "policy",
                "jobs",
                "completion",
                "queueing",
                "last end",
                "preempt",
                "cpu s",
                "compared");
        try (var progress = StepProgress.of("policies", policies.size(), err)) {
            for (String policy : policies) {
                progress.begin(policy);
                String row = run(policy, cluster, table);
                progress.clear();
                console.println(row);
                progress.step();
                // After each run, so that what is done is kept.
                Output.write(out, table.lines());
                Output.write(report, table.page());
            }
        }
        return 0;
    }

    private static String run(String policy, VirtualCluster cluster, LucidTable table) {
        long began = processorTime();
        boolean rounds = !policy.endsWith(CORE);
        VirtualCluster.Outcome outcome = cluster.run(policy.replace(CORE, ""), rounds);
        double took = (processorTime() - began) / 1e9;
        return String.format(
                Locale.ROOT,
                "%-14s %6d %12.2f %12.2f %10.0f %8d %7.2f  %s",
                policy,
                outcome.jobs(),
                outcome.completion(),
                outcome.queued(),
                outcome.lastEnd(),
                outcome.preemptions(),
                took,
                table.add(policy, outcome, took));
    }

    private static void check(String policy) {
        String name = policy.endsWith(CORE) ? policy.replace(CORE, "") : policy;
        boolean preempts = name.equals("srtf") || name.equals("tiresias");
        boolean known =
                preempts
                        || !policy.endsWith(CORE)
                                && (VirtualCluster.POLICIES.contains(name)
                                        || ScenarioPolicy.NAMES.contains(name));
        if (!known) {
            throw new UserError(
                    "--policy: expected one of %s, srtf-core, tiresias-core, %s; found %s"
                            .formatted(
                                    String.join(", ", VirtualCluster.POLICIES),
                                    String.join(", ", ScenarioPolicy.NAMES),
                                    policy));
        }
    }

    private List<TraceJob> jobs(Trace trace) {
        Instant first = time("--from", from, "00:00:00");
        Instant last = time("--to", to, "23:59:00");
        var all = new ArrayList<TraceJob>();
        for (TraceJob job : trace.jobs()) {
            if ((vc.equals(ALL) || job.tenant().equals(vc))
                    && !job.submitted().isBefore(first)
                    && !job.submitted().isAfter(last)) {
                all.add(job);
            }
        }
        if (all.isEmpty()) {
            var known = new TreeSet<String>();
            trace.jobs().forEach(job -> known.add(job.tenant()));
            throw new UserError(
                    "%s has no jobs of virtual cluster %s from %s to %s; it has clusters %s"
                            .formatted(trace.file(), vc, first, last, known));
        }
        for (TraceJob job : all) {
            if (job.ask().gpus() > nodes * GPUS_PER_NODE) {
                throw new UserError(
                        "the job submitted at %s asks for %d GPUs, but --nodes %d gives %d; raise --nodes"
                                .formatted(
                                        job.submitted(),
                                        job.ask().gpus(),
                                        nodes,
                                        nodes * GPUS_PER_NODE));
            }
        }
        return all;
    }

    private static Instant time(String option, String text, String atDay) {
        try {
            return text.strip().indexOf(' ') < 0 && text.indexOf('T') < 0
                    ? LocalDateTime.parse(LocalDate.parse(text.strip()) + "T" + atDay)
                            .toInstant(ZoneOffset.UTC)
                    : LocalDateTime.parse(text.strip().replace(' ', 'T')).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw new UserError(
                    "%s: expected a date such as 2017-10-01 or \"2017-10-01 08:30:00\", found %s"
                            .formatted(option, text));
        }
    }

    /// Of this thread alone: what a run takes on one core, whatever else the machine is doing.
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
