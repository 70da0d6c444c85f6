package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What-if analysis of a long journal under another policy.
public final class WhatIfBench implements Bench {
    private static final int EVENTS = 1_000_000;

    private final Path root;

    public WhatIfBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "what-if";
    }

    @Override
    public String title() {
        return "a long history, decided once more";
    }

    @Override
    public String page() {
        return "what-if";
    }

    @Override
    public String how() {
        return """
        A journal of %,d events is written to SQLite: jobs of 4 tenants come to 100 nodes of 8 GPUs,
        where some hundreds always wait, are placed, run and end. `bin/lab what-if` is asked about
        it from its beginning: under the policy in force, which must come to the same; under two
        others; and under one of them from the exported file of JSON lines. Times are of the whole
        process, its start included; history is read twice, and decided once.\
        """
                .formatted(EVENTS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root)) {
            Path data = shop.folder("data");
            long events = write(data, thoroughness.pick(EVENTS, EVENTS / 50));
            lab(shop, "--version"); // Builds it where that is needed.
            String file = shop.folder("exported").resolve("journal.jsonl").toString();
            double exported = lab(shop, "export", "--data-dir", data.toString(), "--out", file);
            double same = lab(shop, "what-if", "--journal", data.toString());
            double fair = ask(shop, data.toString(), "fair");
            double shortest = ask(shop, data.toString(), "sjf");
            double read = ask(shop, file, "sjf");
            return List.of(
                    Figure.of("what if fair", fair, "s", Target.atMost(30)),
                    Figure.of("what if sjf", shortest, "s", Target.atMost(30)),
                    Figure.of("what if sjf, from JSON lines", read, "s", Target.atMost(30)),
                    Figure.beside("the same policy, every decision compared", same, "s")
                            .withNote("fails unless there are no divergences"),
                    Figure.beside("export to JSON lines", exported, "s"),
                    Figure.beside("events in the journal", (double) events, ""));
        }
    }

    private static long write(Path data, int events) {
        try (var journal = new JournalMaker(data)) {
            journal.crowded(events);
            return journal.events();
        }
    }

    private static double ask(BenchFolder shop, String journal, String policy) throws Exception {
        return lab(shop, "what-if", "--journal", journal, "--policy", policy);
    }

    /// Runs the lab and returns the seconds it took.
    private static double lab(BenchFolder shop, String... words) throws Exception {
        var command = new ArrayList<>(List.of(shop.launcher("lab").toString()));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        Environments.clean(builder.environment());
        long begin = System.nanoTime();
        Process process = builder.start();
        shop.keep(process::destroy);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("bin/lab " + String.join(" ", words) + " failed: " + said);
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
