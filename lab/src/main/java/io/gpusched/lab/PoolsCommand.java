package io.gpusched.lab;

import io.gpusched.lab.pools.DataFiles;
import io.gpusched.lab.pools.PoolBaselines;
import io.gpusched.lab.pools.PoolExperiment;
import io.gpusched.lab.pools.PoolResult;
import io.gpusched.lab.pools.PoolTrace;
import io.gpusched.lab.pools.PoolsPage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab pools`: compares scaling laws on recorded requests to language models.
@Command(
        name = "pools",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares scaling laws on recorded requests to language models: the percentage of",
            "requests within the objectives, and the GPU-hours paid.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab pools --data DIR --azure DIR --trace conversation --law slo,hpa-20 \\",
            "      --load-seconds 60 --static 8,10,12",
            "  lab pools --data DIR --azure DIR --trace conversation,code --law all --report FILE",
            "",
            "docs/experiments/llm-pools.md describes the laws and the files."
        })
final class PoolsCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with expected_scaling_baselines… and trace_mooncake….")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--azure",
            paramLabel = "DIR",
            description = {
                "Directory with the files AzureLLMInferenceTrace_…",
                "(default: that of --data, or azure-llm-2023 beside it)."
            })
    private @Nullable Path azure;

    @Option(
            names = "--trace",
            paramLabel = "NAME",
            split = ",",
            required = true,
            description = "Traces: conversation, code, mooncake; may be a list.")
    private List<String> traces = new ArrayList<>();

    @Option(
            names = "--law",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Laws: slo, hpa-N, keda, wva, dynamo, dynamo-floor, seed001, oracle-C or all;"
                            + " may be a list (default slo).")
    private List<String> laws = new ArrayList<>();

    @Option(
            names = "--load-seconds",
            paramLabel = "N",
            split = ",",
            description = "Load time of a replica in seconds; may be a list (default 60).")
    private List<Integer> loads = new ArrayList<>();

    @Option(
            names = "--report-seconds",
            paramLabel = "N",
            split = ",",
            description = "Time between two reports of load in seconds; may be a list (default 1).")
    private List<Integer> reports = new ArrayList<>();

    @Option(
            names = "--static",
            paramLabel = "N",
            split = ",",
            description = "Also run pools that always have N replicas; may be a list.")
    private List<Integer> sizes = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the results to this file, as CSV.")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        PoolBaselines baselines =
                PoolBaselines.read(DataFiles.one(data, "expected_scaling_baselines"));
        List<Integer> times = loads.isEmpty() ? List.of(60) : loads;
        check(times);
        var results = new ArrayList<PoolResult>();
        PrintWriter lines = spec.commandLine().getOut();
        lines.println(PoolResult.COLUMNS);
        PrintWriter err = spec.commandLine().getErr();
        List<Integer> intervals = reports.isEmpty() ? List.of(1) : reports;
        long steps = 0;
        for (String trace : traces) {
            steps += (long) times.size() * intervals.size() * names(trace).size();
        }
        Path requests = DataFolder.given(azure, data, "azure-llm-2023", "AzureLLM");
        try (var progress = StepProgress.of("runs", steps, err)) {
            for (String name : traces) {
                PoolTrace trace = PoolExperiment.trace(name, data, requests);
                for (PoolExperiment experiment : experiments(trace, times, intervals)) {
                    for (String law : names(name)) {
                        progress.begin(name + ", " + law);
                        PoolResult result = experiment.run(law);
                        results.add(result);
                        progress.step();
                        progress.clear();
                        lines.println(result.row());
                        lines.flush();
                    }
                }
            }
        }
        compare(results, baselines, lines);
        write(results, baselines);
        return 0;
    }

    private static List<PoolExperiment> experiments(
            PoolTrace trace, List<Integer> times, List<Integer> intervals) {
        var experiments = new ArrayList<PoolExperiment>();
        for (int load : times) {
            for (int interval : intervals) {
                experiments.add(new PoolExperiment(trace, load, Duration.ofSeconds(interval)));
            }
        }
        return experiments;
    }

    private void check(List<Integer> times) {
        for (int time : times) {
            if (time < 0 || time > 3_600) {
                throw new UserError("--load-seconds: expected 0 to 3600, found " + time);
            }
        }
        for (int time : reports) {
            if (time < 1 || time > 15) {
                throw new UserError("--report-seconds: expected 1 to 15, found " + time);
            }
        }
        for (int size : sizes) {
            if (size < 1 || size > 200) {
                throw new UserError("--static: expected 1 to 200 replicas, found " + size);
            }
        }
    }

    /// The laws of a trace in the order in which they run.
    private List<String> names(String trace) {
        var names = new ArrayList<String>();
        for (String law : laws.isEmpty() ? List.of("slo") : laws) {
            if (law.equals(ALL)) {
                names.addAll(PoolExperiment.all(trace));
            } else {
                names.add(law);
            }
        }
        sizes.forEach(size -> names.add("static-" + size));
        return names;
    }

    /// Pools of a fixed size need no law, so they show whether the two worlds are the same.
    private static void compare(
            List<PoolResult> results, PoolBaselines baselines, PrintWriter lines) {
        List<PoolResult> fixed =
                results.stream()
                        .filter(each -> each.law().startsWith("static"))
                        .filter(each -> baselines.of(each) != null)
                        .toList();
        if (!fixed.isEmpty()) {
            lines.printf(
                    "static: equal %d of %d (within 1 point and 2 %%)%n",
                    fixed.stream().filter(baselines::agrees).count(), fixed.size());
        }
        for (PoolResult result : fixed) {
            if (!baselines.agrees(result)) {
                lines.println(result.row() + ": " + baselines.difference(result));
            }
        }
        lines.flush();
    }

    private void write(List<PoolResult> results, PoolBaselines baselines) {
        if (out != null) {
            var rows = new ArrayList<String>();
            rows.add(PoolResult.COLUMNS);
            results.forEach(result -> rows.add(result.row()));
            Output.write(out, rows);
        }
        if (report != null) {
            Output.write(report, PoolsPage.text(results, baselines));
        }
    }
}
