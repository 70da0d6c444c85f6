package io.gpusched.lab;

import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.fit.BestEffort;
import io.gpusched.core.policy.fit.StaticSets;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Tree;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Compares our choice of GPUs inside a machine with recorded choices of NVIDIA's own allocator.
@Command(
        name = "gpu-allocator",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes the choices of NVIDIA's GPU allocator again and counts those that are equal.",
            "",
            "The folder holds topologies.json (machines), besteffort_expected.csv (node,",
            "available, size, result) and allocation_cases.json (single requests and",
            "sequences); one of the last two may be missing.",
            ""
        },
        footer = {"", "Example:", "  lab gpu-allocator --data DIR"})
final class GpuAllocator implements Callable<Integer> {
    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_SHOWN = 10;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "The folder with machines and recorded choices.")
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Map<String, Topology> machines = new LinkedHashMap<>();
    private int cases;
    private int equal;
    private int shown;

    @Override
    public Integer call() {
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
            throw new Hopeless(
                    folder
                            + " has neither besteffort_expected.csv nor allocation_cases.json; name"
                            + " the folder that holds them");
        }
        out.println("equal " + equal + " of " + cases);
        out.flush();
        return equal == cases ? 0 : 1;
    }

    private void tell(PrintWriter out, Path file, int casesBefore, int equalBefore) {
        out.printf(
                "%s: %d of %d equal%n",
                file.getFileName(), equal - equalBefore, cases - casesBefore);
    }

    private void machines() {
        Tree.Mapping nodes = mapping(mapping(json(folder.resolve("topologies.json"))), "nodes");
        for (var node : nodes.entries().entrySet()) {
            Tree.Mapping facts = mapping(node.getValue());
            var counts = new ArrayList<List<Integer>>();
            for (Tree row : items(facts, "nvlinks")) {
                counts.add(numbers(row));
            }
            var links = new ArrayList<List<Link>>();
            for (Tree row : items(facts, "pcie")) {
                links.add(items(row).stream().map(GpuAllocator::link).toList());
            }
            machines.put(node.getKey(), Topology.of(List.of(), counts, links));
        }
    }

    private static Link link(Tree cell) {
        if (!(cell instanceof Tree.Text(String word)) || word.equals("X")) {
            return Link.UNKNOWN;
        }
        try {
            return Link.valueOf(word);
        } catch (IllegalArgumentException e) {
            throw new Hopeless("expected PIX, PXB, PHB, NODE or SYS in topologies.json, " + word);
        }
    }

    private void dumped(Path file) {
        int number = 0;
        for (String line : text(file).split("\\R")) {
            number++;
            if (number == 1 || line.isBlank()) {
                continue;
            }
            String[] cells = line.split(",", -1);
            if (cells.length != 4) {
                throw new Hopeless(
                        file
                                + " line "
                                + number
                                + ": expected node,available,size,result, "
                                + line);
            }
            long chosen =
                    BestEffort.choose(
                            machine(cells[0]), mask(cells[1]), 0, Integer.parseInt(cells[2]));
            compare(line, mask(cells[3]), chosen);
        }
    }

    private void ownCases(Path file) {
        Tree.Mapping all = mapping(json(file));
        for (Tree each : items(all, "single_shot")) {
            Tree.Mapping one = mapping(each);
            long available = mask(numbers(one, "available"));
            long required = mask(numbers(one, "required"));
            compare(
                    text(one, "name"),
                    mask(numbers(one, "expect")),
                    choose(one, available, required, whole(one, "size")));
        }
        for (Tree each : items(all, "sequences")) {
            Tree.Mapping sequence = mapping(each);
            long available = (1L << machine(text(sequence, "node")).size()) - 1;
            for (Tree step : items(sequence, "steps")) {
                Tree.Mapping one = mapping(step);
                long chosen = choose(sequence, available, 0, whole(one, "size"));
                compare(text(sequence, "name"), mask(numbers(one, "expect")), chosen);
                available &= ~chosen;
            }
        }
    }

    private long choose(Tree.Mapping request, long available, long required, int size) {
        Topology machine = machine(text(request, "node"));
        String policy = text(request, "policy");
        return switch (policy) {
            case "best-effort" -> BestEffort.choose(machine, available, required, size);
            case "static" -> StaticSets.choose(machine, available, required, size);
            default -> throw new Hopeless("expected best-effort or static, found policy " + policy);
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
            throw new Hopeless("topologies.json has no machine " + name);
        }
        return machine;
    }

    private static long mask(String indices) {
        long mask = 0;
        for (String index : indices.strip().split(" ")) {
            mask |= index.isEmpty() ? 0 : 1L << Integer.parseInt(index);
        }
        return mask;
    }

    private static long mask(List<Integer> indices) {
        long mask = 0;
        for (int index : indices) {
            mask |= 1L << index;
        }
        return mask;
    }

    private static Tree json(Path file) {
        try {
            return new JsonReader(MOST_BYTES).read(text(file).getBytes(StandardCharsets.UTF_8));
        } catch (MalformedException e) {
            throw new Hopeless(file + " is not JSON: " + e.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Hopeless("cannot read " + file + ": " + e.getMessage());
        }
    }

    private static Tree.Mapping mapping(Tree tree) {
        if (tree instanceof Tree.Mapping mapping) {
            return mapping;
        }
        throw new Hopeless("expected an object, found " + tree.shown());
    }

    private static Tree.Mapping mapping(Tree.Mapping in, String key) {
        return mapping(in.entries().getOrDefault(key, new Tree.Nothing()));
    }

    private static List<Tree> items(Tree tree) {
        if (tree instanceof Tree.Items(List<Tree> all)) {
            return all;
        }
        throw new Hopeless("expected a list, found " + tree.shown());
    }

    private static List<Tree> items(Tree.Mapping in, String key) {
        return items(in.entries().getOrDefault(key, new Tree.Items(List.of())));
    }

    private static List<Integer> numbers(Tree list) {
        var numbers = new ArrayList<Integer>();
        for (Tree each : items(list)) {
            if (!(each instanceof Tree.Whole(long number))) {
                throw new Hopeless("expected a whole number, found " + each.shown());
            }
            numbers.add(Math.toIntExact(number));
        }
        return numbers;
    }

    private static List<Integer> numbers(Tree.Mapping in, String key) {
        return numbers(in.entries().getOrDefault(key, new Tree.Items(List.of())));
    }

    private static String text(Tree.Mapping in, String key) {
        if (in.entries().get(key) instanceof Tree.Text(String text)) {
            return text;
        }
        throw new Hopeless("expected a text for " + key);
    }

    private static int whole(Tree.Mapping in, String key) {
        if (in.entries().get(key) instanceof Tree.Whole(long number)) {
            return Math.toIntExact(number);
        }
        throw new Hopeless("expected a whole number for " + key);
    }
}
