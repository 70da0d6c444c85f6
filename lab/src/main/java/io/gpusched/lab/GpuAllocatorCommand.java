package io.gpusched.lab;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.fit.NvidiaBestEffort;
import io.gpusched.core.policy.fit.NvidiaStatic;
import io.gpusched.sim.trace.CsvFile;
import io.gpusched.sim.trace.Excerpt;
import io.gpusched.sim.trace.TextLines;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// `lab gpu-allocator`: compares the scheduler's choice of GPUs within a node with recorded choices
/// of NVIDIA's allocator.
@Command(
        name = "gpu-allocator",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Repeats recorded choices of NVIDIA's GPU allocator and counts those that are equal.",
            "",
            "The directory holds topologies.json (machines), besteffort_expected.csv (columns",
            "node, available, size, result) and allocation_cases.json (single requests and",
            "sequences). One of the last two may be missing.",
            ""
        },
        footer = {"", "Example:", "  lab gpu-allocator --data DIR"})
final class GpuAllocatorCommand implements Callable<Integer> {
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_SHOWN = 10;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with machines and recorded choices.")
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Map<String, Topology> machines = new LinkedHashMap<>();

    /// The place in the files that is being read, for messages.
    private String place = "";

    private int cases;
    private int equal;
    private int shown;

    @Override
    public Integer call() {
        if (!Files.isDirectory(folder)) {
            throw new UserError("--data: there is no directory " + folder);
        }
        machines();
        PrintWriter out = spec.commandLine().getOut();
        int read = 0;
        Path dumped = folder.resolve("besteffort_expected.csv");
        if (Files.exists(dumped)) {
            dumped(dumped);
            tell(out, dumped, 0, 0);
            read++;
        }
        Path own = folder.resolve("allocation_cases.json");
        if (Files.exists(own)) {
            int casesBefore = cases;
            int equalBefore = equal;
            ownCases(own);
            tell(out, own, casesBefore, equalBefore);
            read++;
        }
        if (read == 0) {
            throw new UserError(
                    folder
                            + " has neither besteffort_expected.csv nor allocation_cases.json; name"
                            + " the directory that holds them");
        }
        out.println("equal " + equal + " of " + cases);
        out.flush();
        return equal == cases ? 0 : 1;
    }

    private void tell(PrintWriter out, Path file, int casesBefore, int equalBefore) {
        if (cases == casesBefore) {
            throw new UserError(
                    file + " has no recorded choices; expected at least one, or no such file");
        }
        out.printf(
                "%s: %d of %d equal%n",
                file.getFileName(), equal - equalBefore, cases - casesBefore);
    }

    private void machines() {
        Path file = folder.resolve("topologies.json");
        place = file.toString();
        JsonTree.Mapping nodes = mapping(mapping(json(file)), "nodes");
        for (var node : nodes.entries().entrySet()) {
            place = file + ", machine " + Excerpt.of(node.getKey());
            JsonTree.Mapping facts = mapping(node.getValue());
            var counts = new ArrayList<List<Integer>>();
            for (JsonTree row : items(facts, "nvlinks")) {
                counts.add(counts(row));
            }
            var links = new ArrayList<List<Link>>();
            for (JsonTree row : items(facts, "pcie")) {
                links.add(items(row).stream().map(this::link).toList());
            }
            try {
                machines.put(node.getKey(), Topology.of(List.of(), counts, links));
            } catch (Check.Broken e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }
    }

    private Link link(JsonTree cell) {
        if (!(cell instanceof JsonTree.Text(String word)) || word.equals("X")) {
            return Link.UNKNOWN;
        }
        try {
            return Link.valueOf(word);
        } catch (IllegalArgumentException e) {
            throw wrong("expected X, PIX, PXB, PHB, NODE or SYS, found " + Excerpt.of(word));
        }
    }

    private void dumped(Path file) {
        CsvFile.rows(
                file,
                "recorded choices",
                List.of("node", "available", "size", "result"),
                row -> {
                    Topology machine = machines.get(row.text("node"));
                    if (machine == null) {
                        throw new IllegalArgumentException(
                                "topologies.json has no machine " + row.text("node"));
                    }
                    long available = mask(machine, row.text("available"));
                    int size = row.whole("size", 0, Gpu.MOST_PER_NODE);
                    compare(
                            "%s, %s of %s".formatted(row.text("node"), size, row.text("available")),
                            mask(machine, row.text("result")),
                            NvidiaBestEffort.choose(machine, available, 0, size));
                    return row;
                });
    }

    private void ownCases(Path file) {
        place = file.toString();
        JsonTree.Mapping all = mapping(json(file));
        List<JsonTree> single = items(all, "single_shot");
        for (int i = 0; i < single.size(); i++) {
            place = file + ", single_shot " + (i + 1);
            JsonTree.Mapping one = mapping(single.get(i));
            Topology machine = machine(text(one, "node"));
            compare(
                    text(one, "name"),
                    mask(machine, numbers(one, "expect")),
                    choose(
                            one,
                            mask(machine, numbers(one, "available")),
                            mask(machine, numbers(one, "required")),
                            size(one)));
        }
        List<JsonTree> sequences = items(all, "sequences");
        for (int i = 0; i < sequences.size(); i++) {
            place = file + ", sequence " + (i + 1);
            JsonTree.Mapping sequence = mapping(sequences.get(i));
            Topology machine = machine(text(sequence, "node"));
            long available = all(machine);
            for (JsonTree step : items(sequence, "steps")) {
                JsonTree.Mapping one = mapping(step);
                long chosen = choose(sequence, available, 0, size(one));
                compare(text(sequence, "name"), mask(machine, numbers(one, "expect")), chosen);
                available &= ~chosen;
            }
        }
    }

    private static long all(Topology machine) {
        return machine.size() == Long.SIZE ? -1L : (1L << machine.size()) - 1;
    }

    private long choose(JsonTree.Mapping request, long available, long required, int size) {
        Topology machine = machine(text(request, "node"));
        String policy = text(request, "policy");
        return switch (policy) {
            case "best-effort" -> NvidiaBestEffort.choose(machine, available, required, size);
            case "static" -> NvidiaStatic.choose(machine, available, required, size);
            default ->
                    throw wrong(
                            "expected best-effort or static for policy, found "
                                    + Excerpt.of(policy));
        };
    }

    private void compare(String name, long expected, long chosen) {
        cases++;
        if (expected == chosen) {
            equal++;
        } else if (shown++ < MOST_SHOWN) {
            spec.commandLine()
                    .getOut()
                    .printf(
                            "differs: %s: expected %s, chose %s%n",
                            name, Long.toBinaryString(expected), Long.toBinaryString(chosen));
        }
    }

    private Topology machine(String name) {
        Topology machine = machines.get(name);
        if (machine == null) {
            throw wrong("topologies.json has no machine " + Excerpt.of(name));
        }
        return machine;
    }

    private static long mask(Topology machine, String indices) {
        long mask = 0;
        for (String index : indices.strip().split(" +", -1)) {
            mask |= index.isEmpty() ? 0 : bit(machine, Long.parseLong(index));
        }
        return mask;
    }

    private long mask(Topology machine, List<Long> indices) {
        long mask = 0;
        try {
            for (long index : indices) {
                mask |= bit(machine, index);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        return mask;
    }

    private static long bit(Topology machine, long index) {
        if (index < 0 || index >= machine.size()) {
            throw new IllegalArgumentException(
                    "expected a GPU from 0 to %d, found %d".formatted(machine.size() - 1, index));
        }
        return 1L << index;
    }

    /// A problem at the place that is being read.
    private UserError wrong(String problem) {
        return new UserError(place + ": " + problem + "; correct the file");
    }

    private JsonTree json(Path file) {
        String text = String.join("\n", TextLines.all(file, "a JSON file"));
        try {
            return new JsonReader(MOST_BYTES).read(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedException e) {
            throw wrong("this is not JSON: " + Excerpt.of(String.valueOf(e.getMessage()), 200));
        }
    }

    private JsonTree.Mapping mapping(JsonTree jsonTree) {
        if (jsonTree instanceof JsonTree.Mapping mapping) {
            return mapping;
        }
        throw wrong("expected an object, found " + Excerpt.of(jsonTree.shown()));
    }

    private JsonTree.Mapping mapping(JsonTree.Mapping in, String key) {
        return mapping(in.entries().getOrDefault(key, new JsonTree.Nothing()));
    }

    private List<JsonTree> items(JsonTree jsonTree) {
        if (jsonTree instanceof JsonTree.Items(List<JsonTree> all)) {
            return all;
        }
        throw wrong("expected a list, found " + Excerpt.of(jsonTree.shown()));
    }

    private List<JsonTree> items(JsonTree.Mapping in, String key) {
        return items(in.entries().getOrDefault(key, new JsonTree.Items(List.of())));
    }

    private List<Integer> counts(JsonTree list) {
        var counts = new ArrayList<Integer>();
        for (long number : numbers(list)) {
            if (number < 0 || number > Byte.MAX_VALUE) {
                throw wrong("expected a number of NVLinks, found " + number);
            }
            counts.add((int) number);
        }
        return counts;
    }

    private List<Long> numbers(JsonTree list) {
        var numbers = new ArrayList<Long>();
        for (JsonTree each : items(list)) {
            if (!(each instanceof JsonTree.Whole(long number))) {
                throw wrong("expected a whole number, found " + Excerpt.of(each.shown()));
            }
            numbers.add(number);
        }
        return numbers;
    }

    private List<Long> numbers(JsonTree.Mapping in, String key) {
        return numbers(in.entries().getOrDefault(key, new JsonTree.Items(List.of())));
    }

    private String text(JsonTree.Mapping in, String key) {
        if (in.entries().get(key) instanceof JsonTree.Text(String text)) {
            return text;
        }
        throw wrong("expected a text for " + key);
    }

    private int size(JsonTree.Mapping in) {
        if (in.entries().get("size") instanceof JsonTree.Whole(long number)
                && number >= 0
                && number <= Gpu.MOST_PER_NODE) {
            return (int) number;
        }
        throw wrong("expected a whole number from 0 to " + Gpu.MOST_PER_NODE + " for size");
    }
}
