package io.gpusched.lab;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuSheet;
import io.gpusched.lab.compare.Course;
import io.gpusched.lab.compare.TraceCourse;

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

/// Which traces are run, and on what.
final class TraceOptions {
    private static final Pattern NODES = Pattern.compile("([1-9][0-9]{0,5})x([0-9]{1,2})");
    private static final int MOST_GPUS = 64;
    private static final List<String> OF_NODES = List.of("--nodes", "--gpu", "--cores");
    private static final List<String> OF_TRACES =
            List.of("--format", "--nodes", "--gpu", "--cores", "--node-list", "--blind");

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "The jobs of a real cluster. May be given several times.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description =
                    "How they are written: swf, philly, openb (pods), alibaba-v2025 or azure-llm.")
    private String format = "philly";

    @Option(
            names = "--nodes",
            paramLabel = "NxG",
            description = {
                "N nodes of G GPUs each (default 80x8); for swf, 1x0 and --cores say how many"
                        + " processors there are."
            })
    private String nodes = "80x8";

    @Option(
            names = "--gpu",
            paramLabel = "MODEL",
            description = "What kind of GPUs they have (default P100).")
    private String gpu = "P100";

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "How many cores each has (default 96).")
    private int cores = 96;

    @Option(
            names = "--node-list",
            paramLabel = "FILE",
            description = "The nodes of an openb file, instead of --nodes.")
    private @Nullable Path list;

    @Option(
            names = "--blind",
            description = "Do not tell policies how long jobs of traces without limits will run.")
    private boolean blind;

    /// @param given which options were typed
    List<Course> courses(int most, ParseResult given, Consumer<String> remarks) {
        if (files.isEmpty()) {
            refuse(given, OF_TRACES, "it is about traces: give one with --trace FILE");
            return List.of();
        }
        if (list != null) {
            refuse(given, OF_NODES, "the nodes are those of --node-list; leave one of them out");
        } else if (nodes.endsWith("x0")) {
            refuse(given, List.of("--gpu"), "the nodes of --nodes " + nodes + " have no GPUs");
        }
        if (GpuSheet.known(GpuModel.parse(gpu).family()) == null) {
            remarks.accept(
                    "--gpu "
                            + gpu
                            + " is not on the sheet of GPUs: power and price are those of an"
                            + " unknown one");
        }
        var maker = new TraceCourse(cluster(), blind, remarks);
        TraceCourse.Format known = known();
        return files.stream().map(file -> maker.of(file, known, most)).toList();
    }

    /// What would be ignored is refused.
    private static void refuse(ParseResult given, List<String> options, String why) {
        for (String option : options) {
            if (given.hasMatchedOption(option)) {
                throw new Hopeless(option + " does nothing here: " + why);
            }
        }
    }

    private TraceCourse.Format known() {
        String wanted = format.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(TraceCourse.Format.values())
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () ->
                                new Hopeless(
                                        "--format: expected swf, philly, openb,"
                                                + " alibaba-v2025 or azure-llm, found "
                                                + format));
    }

    private TraceCourse.Cluster cluster() {
        if (list != null) {
            return TraceCourse.Cluster.read(list);
        }
        var form = NODES.matcher(nodes);
        if (!form.matches() || Integer.parseInt(form.group(2)) > MOST_GPUS) {
            throw new Hopeless(
                    "--nodes: expected nodes x GPUs each, like 80x8 and at most 64 GPUs, found "
                            + nodes);
        }
        if (cores < 1) {
            throw new Hopeless("--cores: expected 1 or more, found " + cores);
        }
        return TraceCourse.Cluster.of(
                Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), gpu, cores);
    }
}
