package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.load.LoadCounts;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A very long queue in a small heap.
public final class MemoryBench implements Bench {
    private static final int JOBS = 1_000_000;
    private static final int OVER_REST = 50_000;
    private static final int HEAP_MIB = 2048;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path root;

    public MemoryBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String title() {
        return "a million waiting jobs in a heap of 2 GiB";
    }

    @Override
    public String how() {
        return """
        A journal with %,d waiting jobs is written to SQLite. `bin/scheduler` is started over it
        with a heap of %,d MiB, which holds the deciding engine, its two followers and all else;
        %,d further jobs are submitted over REST. It must answer them all, and what is left of the
        heap after a full collection is read from the running process: the lowest of ten readings,
        because the tables are still being filled and garbage of that counts until it is
        collected.\
        """
                .formatted(JOBS - OVER_REST, HEAP_MIB, OVER_REST);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        int jobs = thoroughness.pick(JOBS, JOBS / 50);
        int overRest = thoroughness.pick(OVER_REST, OVER_REST / 50);
        try (var shop = BenchFolder.open(root)) {
            Path data = shop.folder("data");
            try (var journal = new JournalMaker(data)) {
                journal.waitingJobs(jobs - overRest);
            }
            var heap = Map.of("GPU_SCHEDULER_JAVA_OPTS", "-Xmx" + HEAP_MIB + "m");
            var server = ServerProcess.start(shop, data, heap, PATIENCE);
            LoadCounts loadCounts = RestBench.driver(server.uri()).send(overRest);
            long waiting = server.schedulerApi().waitingJobs();
            if (loadCounts.acknowledged() != overRest || waiting != jobs) {
                throw new IOException(
                        "expected %s waiting jobs, found %s; %s of %s submissions were accepted. %s"
                                .formatted(
                                        jobs,
                                        waiting,
                                        loadCounts.acknowledged(),
                                        overRest,
                                        server.endOfLog()));
            }
            double used = server.liveHeapMiB();
            return List.of(
                    Figure.of("waiting jobs", (double) waiting, "", Target.atLeast(JOBS)),
                    Figure.of(
                            "heap in use after a collection", used, "MiB", Target.atMost(HEAP_MIB)),
                    Figure.beside("that is, for each job", used * 1024 * 1024 / jobs, "bytes"),
                    Figure.beside("ready after", server.readyAfter().toNanos() / 1e9, "s"));
        }
    }
}
