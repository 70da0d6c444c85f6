package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.load.JobRequests;
import io.gpusched.bench.load.Latencies;
import io.gpusched.bench.load.LoadCounts;
import io.gpusched.bench.load.LoadDriver;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/// Durable submissions beside clients that read as fast as they can.
public final class ReadsBench implements Bench {
    private static final int JOBS = 20_000;
    private static final int WRITERS = 4;
    private static final int READERS = 16;
    private static final int WARM_UP = 15;
    private static final int WINDOW = 5;
    private static final int TURNS = 5;

    /// More than run, so these wait.
    private static final int FIRST_EXPLAINED = 10_000;

    private static final int EXPLAINED = 512;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Map<String, String> OFTEN =
            Map.of(
                    "GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS",
                    "1",
                    "GPU_SCHEDULER_DATABASE_SNAPSHOT_EVENTS",
                    "10000");

    private final Path root;

    public ReadsBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "reads";
    }

    @Override
    public String title() {
        return "durable submissions beside floods of explanations, forecasts and snapshots";
    }

    @Override
    public String how() {
        return """
        `bin/scheduler` with its journal in SQLite, %,d nodes without a free GPU and %,d jobs, of
        which most wait. Forecasts are made every second (not every 15) and snapshots every 10,000
        events (not 500,000). A driver on the same cores submits jobs over %s kept-alive
        connections, each waiting for its answer before it submits again. After %s s of warm-up it
        does so for %s s alone and for %s s beside a second driver that asks for explanations of
        waiting jobs over %s connections as fast as they are answered; %s times in turn, so that
        what else the machine does falls on both.\
        """
                .formatted(
                        JournalMaker.NODES, JOBS, WRITERS, WARM_UP, WINDOW, WINDOW, READERS, TURNS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root)) {
            Path data = shop.folder("data");
            try (var journal = new JournalMaker(data)) {
                journal.full(JOBS);
            }
            var server = ServerProcess.start(shop, data, OFTEN, PATIENCE);
            LoadDriver writers = driver(server.uri(), WRITERS, submissions(server.uri()), 201);
            LoadDriver readers = driver(server.uri(), READERS, questions(server.uri()), 200);
            var window = Duration.ofSeconds(thoroughness.pick(WINDOW, 1));
            Duration warmUp = Duration.ofSeconds(thoroughness.pick(WARM_UP, 1));
            checked(readers.drive(Duration.ZERO, warmUp.dividedBy(2)));
            checked(writers.drive(Duration.ZERO, warmUp));
            var alone = new Latencies();
            var beside = new Latencies();
            long explained = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                alone.addAll(checked(writers.drive(Duration.ZERO, window)).latencies());
                explained += both(writers, readers, window, beside);
            }
            return figures(alone, beside, explained / (double) (window.toSeconds() * TURNS));
        }
    }

    /// Returns how many explanations were given meanwhile.
    private static long both(
            LoadDriver writers, LoadDriver readers, Duration window, Latencies beside)
            throws Exception {
        try (var flood = Executors.newSingleThreadExecutor()) {
            var reading = flood.submit(() -> readers.drive(Duration.ZERO, window));
            beside.addAll(checked(writers.drive(Duration.ZERO, window)).latencies());
            return checked(reading.get()).accepted();
        }
    }

    private static List<byte[]> submissions(URI uri) {
        return JobRequests.make(uri.getAuthority(), EXPLAINED, 7);
    }

    private static List<byte[]> questions(URI uri) {
        return JobRequests.explain(uri.getAuthority(), FIRST_EXPLAINED, EXPLAINED);
    }

    private static LoadDriver driver(URI uri, int connections, List<byte[]> requests, int wanted) {
        return new LoadDriver(
                new InetSocketAddress(uri.getHost(), uri.getPort()), connections, requests, wanted);
    }

    private static LoadCounts checked(LoadCounts loadCounts) throws IOException {
        if (loadCounts.refused() > 0) {
            throw new IOException(
                    "%s requests were refused, the first one with: %s"
                            .formatted(loadCounts.refused(), loadCounts.firstRefusal()));
        }
        return loadCounts;
    }

    private static List<Figure> figures(Latencies alone, Latencies beside, double explained) {
        double quiet = alone.percentileMillis(99);
        double busy = beside.percentileMillis(99);
        return List.of(
                Figure.of(
                        "99th percentile beside readers to that without",
                        busy / quiet,
                        "x",
                        Target.atMost(2)),
                Figure.beside("answered within, 99th percentile, without readers", quiet, "ms"),
                Figure.beside("answered within, 99th percentile, beside readers", busy, "ms"),
                Figure.beside(
                        "answered within, median, without readers",
                        alone.percentileMillis(50),
                        "ms"),
                Figure.beside(
                        "answered within, median, beside readers",
                        beside.percentileMillis(50),
                        "ms"),
                Figure.beside("explanations given meanwhile", explained, "per second"));
    }
}
