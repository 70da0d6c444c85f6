package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.load.JobRequests;
import io.gpusched.bench.load.LoadCounts;
import io.gpusched.bench.load.LoadDriver;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Durable submissions over REST.
public final class RestBench implements Bench {
    /// Where the scheduler keeps its journal.
    public enum Store {
        SQLITE,
        POSTGRES
    }

    private static final int CONNECTIONS = 32;
    private static final int DIFFERENT = 512;
    private static final int WARM_UP = 30;
    private static final int WINDOW = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path root;
    private final Store store;

    public RestBench(Path root, Store store) {
        this.root = root;
        this.store = store;
    }

    @Override
    public String name() {
        return store == Store.SQLITE ? "rest-sqlite" : "rest-postgres";
    }

    @Override
    public String title() {
        return "durable submissions over REST, on "
                + (store == Store.SQLITE ? "SQLite" : "PostgreSQL with fsync");
    }

    @Override
    public String how() {
        String where =
                store == Store.SQLITE
                        ? "its journal in SQLite on the project's disk, as it is by default"
                        : "its journal in a PostgreSQL on the same machine with fsync,"
                                + " synchronous_commit and full_page_writes on";
        return """
        `bin/scheduler` with %s. A driver on the same cores submits jobs over %s kept-alive
        connections, each waiting for its answer before it submits again; an answer means that the
        job is durable. %s s of warm-up, then %s s that count. Afterwards the scheduler's number of
        jobs is compared with the acknowledgements. The Go original on PostgreSQL: 554 per second.\
        """
                .formatted(where, CONNECTIONS, WARM_UP, WINDOW);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root)) {
            double sync = shop.syncMillis();
            Map<String, String> settings =
                    store == Store.SQLITE ? Map.of() : Postgres.start(shop).settings();
            var server = ServerProcess.start(shop, shop.folder("data"), settings, PATIENCE);
            Duration before = server.cpu();
            LoadCounts loadCounts =
                    driver(server.uri())
                            .drive(
                                    Duration.ofSeconds(thoroughness.pick(WARM_UP, 2)),
                                    Duration.ofSeconds(thoroughness.pick(WINDOW, 2)));
            Duration cpu = server.cpu().minus(before);
            check(loadCounts, server);
            return figures(loadCounts, cpu, sync);
        }
    }

    static LoadDriver driver(URI uri) {
        return new LoadDriver(
                new InetSocketAddress(uri.getHost(), uri.getPort()),
                CONNECTIONS,
                JobRequests.make(uri.getAuthority(), DIFFERENT, 7),
                201);
    }

    static void check(LoadCounts loadCounts, ServerProcess server) throws IOException {
        if (loadCounts.refused() > 0) {
            throw new IOException(
                    "%s submissions were refused, the first one with: %s"
                            .formatted(loadCounts.refused(), loadCounts.firstRefusal()));
        }
        long jobs = server.schedulerApi().jobs();
        if (jobs != loadCounts.acknowledged()) {
            throw new IOException(
                    "the scheduler acknowledged %s jobs and has %s; the end of its log:\n%s"
                            .formatted(loadCounts.acknowledged(), jobs, server.endOfLog()));
        }
    }

    private static List<Figure> figures(LoadCounts loadCounts, Duration cpu, double sync) {
        var figures = new ArrayList<Figure>();
        figures.add(
                Figure.of(
                                "durable submissions",
                                loadCounts.perSecond(),
                                "jobs/s",
                                Target.atLeast(15_000))
                        .withNote(
                                "all "
                                        + loadCounts.acknowledged()
                                        + " acknowledged jobs were found afterwards"));
        figures.add(Figure.beside("answered within, median", millis(loadCounts, 50), "ms"));
        figures.add(
                Figure.beside("answered within, 99th percentile", millis(loadCounts, 99), "ms"));
        figures.add(
                Figure.beside(
                        "processor time of the scheduler per job",
                        cpu.toNanos() / 1e3 / loadCounts.acknowledged(),
                        "µs"));
        figures.add(
                Figure.beside(
                        "processor time of the driver per job", loadCounts.cpuMicrosEach(), "µs"));
        figures.add(Figure.beside("one small fsync on this disk", sync, "ms"));
        return figures;
    }

    private static double millis(LoadCounts loadCounts, double percent) {
        return loadCounts.latencies().percentileMillis(percent);
    }
}
