package io.gpusched.lab;

import io.gpusched.lab.compare.Course;
import io.gpusched.lab.compare.TraceCourse;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

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

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "The jobs of a real cluster. May be given several times.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "How they are written: swf, philly, openb (pods) or alibaba-v2025.")
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

    List<Course> courses(int most, Consumer<String> remarks) {
        if (files.isEmpty()) {
            return List.of();
        }
        var maker = new TraceCourse(cluster(), blind, remarks);
        TraceCourse.Format known = known();
        return files.stream().map(file -> maker.of(file, known, most)).toList();
    }

    private TraceCourse.Format known() {
        String wanted = format.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(TraceCourse.Format.values())
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () ->
                                new Hopeless(
                                        "--format: expected swf, philly, openb or alibaba-v2025,"
                                                + " found "
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
