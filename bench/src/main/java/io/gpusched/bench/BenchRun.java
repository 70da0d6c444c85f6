package io.gpusched.bench;

import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.MachineDescription;
import io.gpusched.bench.report.Result;
import io.gpusched.bench.report.Results;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// One call of `bin/bench`: reads the arguments, runs the benches, prints and keeps the results.
///
/// A bench that fails does not keep the others from running; the exit code tells.
final class BenchRun {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private static final String USAGE =
            """
            bin/bench [--quick] [--out DIR] [NAME...]      measure all, or the ones named
            bin/bench --list                               names and what they measure

              --quick        only see that everything works: short runs, nothing is written
              --out DIR      where the pages and their JSON go (default docs/results)
            """;

    private final List<Bench> all;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Bench> chosen = new ArrayList<>();
    private Thoroughness thoroughness = Thoroughness.FULL;
    private Path folder;

    BenchRun(List<Bench> all, Path folder, PrintStream out, PrintStream err) {
        this.all = all;
        this.folder = folder;
        this.out = out;
        this.err = err;
    }

    int run(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--help", "-h" -> {
                    out.print(USAGE);
                    return DONE;
                }
                case "--list" -> {
                    all.forEach(bench -> out.printf("%-14s %s%n", bench.name(), bench.title()));
                    return DONE;
                }
                case "--quick" -> thoroughness = Thoroughness.QUICK;
                case "--out" -> {
                    if (++i == words.size()) {
                        return misused("--out needs a directory");
                    }
                    folder = Path.of(words.get(i));
                }
                default -> {
                    if (!choose(words.get(i))) {
                        return misused("there is no bench called " + words.get(i));
                    }
                }
            }
        }
        return runChosen();
    }

    private boolean choose(String name) {
        for (Bench bench : all) {
            if (bench.name().equals(name)) {
                chosen.add(bench);
                return true;
            }
        }
        return false;
    }

    private int misused(String what) {
        err.println(what + "; bin/bench --list shows the names, bin/bench --help the options");
        return MISUSED;
    }

    private int runChosen() {
        int code = DONE;
        for (Bench bench : chosen.isEmpty() ? all : chosen) {
            err.println(bench.name() + ": " + bench.title() + " ...");
            long begin = System.nanoTime();
            try {
                Result result = measure(bench);
                print(result);
                if (thoroughness == Thoroughness.FULL) {
                    results(bench.page()).put(result);
                }
            } catch (Exception e) {
                err.println(bench.name() + " could not be measured: " + e);
                code = FAILED;
            }
            err.println("  took " + Duration.ofNanos(System.nanoTime() - begin).toSeconds() + " s");
        }
        if (thoroughness == Thoroughness.FULL) {
            err.println("written to " + folder);
        }
        return code;
    }

    private Results results(String page) {
        return new Results(
                folder,
                page,
                all.stream().filter(one -> one.page().equals(page)).map(Bench::name).toList());
    }

    private Result measure(Bench bench) throws Exception {
        MachineDescription machineDescription = MachineDescription.here();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<Figure> figures = bench.run(thoroughness);
        return new Result(
                bench.name(), bench.title(), bench.how(), now, machineDescription, figures);
    }

    private void print(Result result) {
        for (Figure figure : result.figures()) {
            String verdict =
                    figure.wanted().isEmpty()
                            ? ""
                            : figure.wanted() + (figure.reached() ? "  reached" : "  MISSED");
            out.printf("  %-42s %20s   %s%n", figure.name(), figure.amount(), verdict);
        }
        out.flush();
    }
}
