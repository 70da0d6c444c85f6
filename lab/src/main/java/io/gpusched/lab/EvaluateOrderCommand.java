package io.gpusched.lab;

import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.order.ClusterSlices;
import io.gpusched.lab.order.SliceRun;
import io.gpusched.lab.order.SliceTable;
import io.gpusched.lab.philly.VirtualCluster;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.Trace;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab evaluate-order`: compares a learned queue order with policies of the scheduler on jobs of a
/// GPU trace that were held back from training.
@Command(
        name = "evaluate-order",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares a learned queue order with policies of the scheduler on the held-back weeks"
                    + " of",
            "the Philly trace. The production core runs the jobs of each virtual cluster, in"
                    + " slices,",
            "on as many nodes as they keep busy. No policy knows true run times, only predictions.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab evaluate-order --trace FILE --checkpoint shipped --report page.md",
            "  lab evaluate-order --trace samples/philly.csv --slice 20 --split 2030-01-08",
            "",
            "docs/experiments/learned-order.md explains the table."
        })
final class EvaluateOrderCommand implements Callable<Integer> {
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
            names = "--checkpoint",
            paramLabel = "FILE",
            defaultValue = "shipped",
            description = {
                "Model that lab train-order wrote, or shipped for the one that ships with the lab",
                "(default ${DEFAULT-VALUE})."
            })
    @SuppressWarnings("NullAway.Init")
    private String checkpoint;

    @Option(
            names = "--policy",
            paramLabel = "P",
            split = ",",
            description =
                    "Policies to compare with, separated by commas (default"
                            + " fifo,spf,spf-skip,las).")
    private List<String> policies = new ArrayList<>(List.of("fifo", "spf", "spf-skip", "las"));

    @Mixin private SliceOptions slices = new SliceOptions();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a page of results to this file, as Markdown.")
    private @Nullable Path report;

    @Override
    public Integer call() {
        for (String policy : policies) {
            if (!Policies.NAMES.contains(policy)) {
                throw new UserError(
                        "--policy: expected one of %s; found %s"
                                .formatted(String.join(", ", Policies.NAMES), policy));
            }
        }
        ScoreModel model = OrderModels.cluster(checkpoint);
        Trace trace = PhillyReader.read(file);
        PrintWriter err = spec.commandLine().getErr();
        trace.remarks().forEach(err::println);
        ClusterSlices sliced = slices.of(trace);
        if (sliced.late().isEmpty()) {
            throw new UserError(
                    "--split: no virtual cluster has %d jobs from then on; choose an earlier --split or a smaller --slice"
                            .formatted(slices.length()));
        }
        var table = new SliceTable(sliced, slices.text());
        var runs = new SliceRun(sliced);
        long all = (long) (policies.size() + 1) * sliced.late().size();
        try (var progress = StepProgress.of("runs", all, err)) {
            for (String policy : policies) {
                progress.begin(policy);
                table.add(policy, each(sliced, progress, slice -> runs.run(slice, policy)));
            }
            progress.begin(SliceRun.LEARNED);
            table.add(
                    SliceRun.LEARNED,
                    each(sliced, progress, slice -> runs.run(slice, model, slices.bound())));
        }
        PrintWriter console = spec.commandLine().getOut();
        table.lines().forEach(console::println);
        console.flush();
        Output.write(report, table.page());
        return 0;
    }

    private interface OneRun {
        VirtualCluster.Outcome of(ClusterSlices.Slice slice);
    }

    private static List<VirtualCluster.Outcome> each(
            ClusterSlices sliced, StepProgress progress, OneRun run) {
        var outcomes = new ArrayList<VirtualCluster.Outcome>();
        for (ClusterSlices.Slice slice : sliced.late()) {
            outcomes.add(run.of(slice));
            progress.step();
        }
        return outcomes;
    }
}
