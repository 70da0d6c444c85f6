package io.gpusched.lab;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.policy.PlacementStrategy;
import io.gpusched.lab.fgd.AllocationCurve;
import io.gpusched.lab.fgd.FgdExperiment;
import io.gpusched.lab.fgd.FgdFiles;
import io.gpusched.lab.fgd.FgdPage;
import io.gpusched.lab.fgd.FgdTrace;
import io.gpusched.lab.fgd.PublishedCurves;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/// `lab fgd`: repeats the experiment of "Beware of Fragmentation" (ATC 2023), which introduced
/// fragmentation gradient descent, with the production scheduler.
@Command(
        name = "fgd",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Repeats the experiment of \"Beware of Fragmentation\" (ATC 2023) with the production",
            "scheduler. Pods arrive one by one and never end; a pod that fits nowhere is dropped.",
            "",
            "Prints the share of GPUs in use when pods have asked for 100 %% and 130 %% of them,",
            "the processor time of the run in seconds, and how many points equal the published",
            "ones if the directory has expected_alloc_pct.csv.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab fgd --data DIR --workload default --policy FGD --seed 42",
            "  lab fgd --data DIR --out all.csv",
            "",
            "docs/experiments/fgd.md lists the files of the directory."
        })
final class FgdCommand implements Callable<Integer> {
    /// The names of the published experiment, ours last, and the placers behind them.
    static final Map<String, String> POLICIES = policies();

    private static Map<String, String> policies() {
        var names = new LinkedHashMap<String, String>();
        names.put("Random", "random");
        names.put("DotProd", "dot-product");
        names.put("GpuClustering", "gpu-clustering");
        names.put("GpuPacking", "gpu-packing");
        names.put("BestFit", "balanced-fit");
        names.put("FGD", "fgd");
        names.put("ExpectedWaste", "expected-waste");
        return names;
    }

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with nodes, pods, arrival orders and node ranks.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--workload",
            paramLabel = "W",
            description = "Workload to run; may be repeated (default: all with published results).")
    private List<String> workloads = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "Policy to run; may be repeated (default: all).")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed whose order to run; may be repeated (default: all in the files).")
    private List<Integer> seeds = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the curves to this CSV file: workload,policy,seed,0..130.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    private final FgdPage fgdPage = new FgdPage();

    @Override
    public Integer call() {
        for (String policy : policies) {
            if (!POLICIES.containsKey(policy)) {
                throw new UserError(
                        "--policy: expected one of %s, found %s"
                                .formatted(String.join(", ", POLICIES.keySet()), policy));
            }
        }
        return run();
    }

    private int run() {
        var fgdFiles = new FgdFiles(data);
        PublishedCurves publishedCurves = PublishedCurves.read(fgdFiles);
        var lines = new ArrayList<String>();
        lines.add(header());
        PublishedCurves.Match all = PublishedCurves.Match.NONE;
        PrintWriter to = spec.commandLine().getOut();
        to.printf(
                "%-11s %-14s %4s  %6s %6s  %6s  %s%n",
                "workload", "policy", "seed", "at 100", "at 130", "cpu s", "equal");
        for (String workload : workloads.isEmpty() ? known(publishedCurves) : workloads) {
            FgdTrace fgdTrace = FgdTrace.read(fgdFiles, workload);
            for (String policy : policies.isEmpty() ? POLICIES.keySet() : policies) {
                for (int seed : seeds(fgdTrace)) {
                    AllocationCurve allocationCurve =
                            run(fgdTrace, workload, policy, seed, publishedCurves, to, lines);
                    all = all.plus(publishedCurves.match(workload, policy, seed, allocationCurve));
                    Output.write(out, lines); // Again each time, so that what is done is kept.
                }
            }
        }
        to.println(summary(all));
        to.flush();
        Output.write(report, fgdPage.text());
        return 0;
    }

    private static List<String> known(PublishedCurves publishedCurves) {
        if (publishedCurves.workloads().isEmpty()) {
            throw new UserError(
                    "the directory has no published results; name a workload with --workload");
        }
        return publishedCurves.workloads();
    }

    private List<Integer> seeds(FgdTrace fgdTrace) {
        for (int seed : seeds) {
            if (!fgdTrace.orders().containsKey(seed)) {
                throw new UserError(
                        "--seed: expected one of %s, found %s"
                                .formatted(fgdTrace.orders().keySet(), seed));
            }
        }
        return seeds.isEmpty() ? List.copyOf(fgdTrace.orders().keySet()) : seeds;
    }

    private AllocationCurve run(
            FgdTrace fgdTrace,
            String workload,
            String policy,
            int seed,
            PublishedCurves publishedCurves,
            PrintWriter to,
            List<String> lines) {
        long began = processorTime();
        PlacementStrategy placementStrategy =
                Objects.requireNonNull(
                        PlacementStrategies.named(
                                Objects.requireNonNull(POLICIES.get(policy)),
                                false,
                                fgdTrace.typicalWorkload(),
                                seed));
        AllocationCurve allocationCurve =
                new FgdExperiment(fgdTrace, placementStrategy, seed).run(seed);
        double took = (processorTime() - began) / 1e9;
        PublishedCurves.Match match =
                publishedCurves.match(workload, policy, seed, allocationCurve);
        to.printf(
                Locale.ROOT,
                "%-11s %-14s %4d  %6s %6s  %6.2f  %s%n",
                workload,
                policy,
                seed,
                percent(allocationCurve, 100),
                percent(allocationCurve, 130),
                took,
                match.points() == 0 ? "-" : match.equal() + " of " + match.points());
        to.flush();
        warn(workload, seed, allocationCurve);
        lines.add(line(workload, policy, seed, allocationCurve));
        fgdPage.add(workload, policy, allocationCurve, match, took);
        return allocationCurve;
    }

    /// The share at a load; a dash where no pod arrived at that load.
    private static String percent(AllocationCurve allocationCurve, int load) {
        return allocationCurve.has(load)
                ? String.format(Locale.ROOT, "%.2f", allocationCurve.at(load))
                : "-";
    }

    private void warn(String workload, int seed, AllocationCurve allocationCurve) {
        if (allocationCurve.last() < 100) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "warning: the pods of %s, seed %d, ask for %d %% of the GPUs in all, so there are no figures at 100 %% and 130 %%; lengthen the order of pods"
                                    .formatted(workload, seed, allocationCurve.last()));
        }
    }

    /// Of this thread alone: what a run takes on one core, whatever else the machine is doing.
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String header() {
        var line = new StringBuilder("workload,policy,seed");
        for (int k = 0; k < AllocationCurve.COLUMNS; k++) {
            line.append(',').append(k);
        }
        return line.toString();
    }

    private static String line(
            String workload, String policy, int seed, AllocationCurve allocationCurve) {
        var line = new StringBuilder(workload + "," + policy + "," + seed);
        for (int k = 0; k < AllocationCurve.COLUMNS; k++) {
            line.append(',')
                    .append(allocationCurve.has(k) ? Double.toString(allocationCurve.at(k)) : "");
        }
        return line.toString();
    }

    private static String summary(PublishedCurves.Match all) {
        if (all.points() == 0) {
            return "no published results to compare with";
        }
        return "equal %d of %d, within 0.01 %d of %d, largest difference %.2f, mean %+.3f"
                .formatted(
                        all.equal(),
                        all.points(),
                        all.within(),
                        all.points(),
                        all.worst(),
                        all.mean());
    }
}
