package io.gpusched.lab;

import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.GpuModel;
import io.gpusched.lab.compare.LabWorkload;
import io.gpusched.lab.compare.TraceWorkload;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The options that choose traces and the cluster that they run on.
final class TraceOptions {
    private static final Pattern NODES = Pattern.compile("([1-9][0-9]{0,5})x([0-9]{1,2})");
    private static final int MOST_GPUS = 64;
    private static final List<String> OF_NODES = List.of("--nodes", "--gpu", "--cores");
    private static final List<String> OF_TRACES =
            List.of("--format", "--nodes", "--gpu", "--cores", "--node-list", "--blind");

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "File with the jobs of a real cluster. May be repeated.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description =
                    "Format of the traces: swf, philly, openb (pods), alibaba-v2025 or azure-llm"
                            + " (default philly).")
    private String format = "philly";

    @Option(
            names = "--nodes",
            paramLabel = "NxG",
            description = {
                "N nodes with G GPUs each (default 80x8). For swf, use 1x0 and set the number of"
                        + " processors with --cores."
            })
    private String nodes = "80x8";

    @Option(
            names = "--gpu",
            paramLabel = "MODEL",
            description = "GPU model of the nodes (default P100).")
    private String gpu = "P100";

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "CPU cores of each node (default 96).")
    private int cores = 96;

    @Option(
            names = "--node-list",
            paramLabel = "FILE",
            description = "CSV file with the nodes in openb form, instead of --nodes.")
    private @Nullable Path list;

    @Option(
            names = "--blind",
            description =
                    "Do not tell the policies how long jobs run where the trace has no time"
                            + " limits.")
    private boolean blind;

    /// @param given which options were typed
    List<LabWorkload> courses(int most, ParseResult given, Consumer<String> remarks) {
        if (files.isEmpty()) {
            refuse(given, OF_TRACES, "it applies to traces; give one with --trace FILE");
            return List.of();
        }
        if (list != null) {
            refuse(
                    given,
                    OF_NODES,
                    "--node-list already defines the nodes; remove one of the two options");
        } else if (nodes.endsWith("x0")) {
            refuse(given, List.of("--gpu"), "the nodes of --nodes " + nodes + " have no GPUs");
        }
        if (GpuDataSheet.known(GpuModel.parse(gpu).family()) == null) {
            remarks.accept(
                    "--gpu " + gpu + " is not a known GPU model: default power and price are used");
        }
        var maker = new TraceWorkload(cluster(), blind, remarks);
        TraceWorkload.Format known = known();
        return files.stream().map(file -> maker.of(file, known, most)).toList();
    }

    /// Refuses options that would be ignored.
    private static void refuse(ParseResult given, List<String> options, String why) {
        for (String option : options) {
            if (given.hasMatchedOption(option)) {
                throw new UserError(option + " does nothing here: " + why);
            }
        }
    }

    private TraceWorkload.Format known() {
        String wanted = format.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(TraceWorkload.Format.values())
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UserError(
                                        "--format: expected swf, philly, openb,"
                                                + " alibaba-v2025 or azure-llm, found "
                                                + format));
    }

    private TraceWorkload.Cluster cluster() {
        if (list != null) {
            return TraceWorkload.Cluster.read(list);
        }
        var form = NODES.matcher(nodes);
        if (!form.matches() || Integer.parseInt(form.group(2)) > MOST_GPUS) {
            throw new UserError(
                    "--nodes: expected nodes x GPUs each, like 80x8 and at most 64 GPUs, found "
                            + nodes);
        }
        if (cores < 1) {
            throw new UserError("--cores: expected 1 or more, found " + cores);
        }
        return TraceWorkload.Cluster.of(
                Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), gpu, cores);
    }
}
