package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.core.ScoreSpeed;
import io.gpusched.bench.load.LoadCounts;
import io.gpusched.bench.load.LoadDriver;
import io.gpusched.bench.load.ScoreRequests;
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

/// Scores over HTTP and in process.
public final class ScoreBench implements Bench {
    private static final int CONNECTIONS = 32;
    private static final int KINDS = 200;
    private static final int WARM_UP = 20;
    private static final int WINDOW = 15;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path root;

    public ScoreBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "score";
    }

    @Override
    public String page() {
        return "learning";
    }

    @Override
    public String title() {
        return "which GPU suits a job, in process and over HTTP";
    }

    @Override
    public String how() {
        return """
        In process: JMH, one thread; a choice among 64 kinds of GPUs, half of them seen with that
        kind of job, with two neighbours that are heeded, from a full book of 1,000 pairs. Over HTTP:
        `bin/scheduler` as it is by default learns from a run of each of %s kinds of jobs on four
        kinds of GPUs; then a driver on the same cores asks for scores of these jobs with four
        candidates and one neighbour over %s kept-alive connections, each waiting for its answer
        before it asks again. %s s of warm-up, then %s s that count. Every answer is checked, and the
        scheduler's count of choices is compared with the driver's afterwards.\
        """
                .formatted(KINDS, CONNECTIONS, WARM_UP, WINDOW);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        var figures = new ArrayList<Figure>(ScoreSpeed.measure(thoroughness));
        try (var shop = BenchFolder.open(root)) {
            var server = ServerProcess.start(shop, shop.folder("data"), Map.of(), PATIENCE);
            URI uri = server.uri();
            LoadCounts learned = learn(uri);
            Duration before = server.cpu();
            LoadCounts loadCounts =
                    driver(uri, ScoreRequests.questions(uri.getAuthority(), KINDS))
                            .drive(
                                    Duration.ofSeconds(thoroughness.pick(WARM_UP, 2)),
                                    Duration.ofSeconds(thoroughness.pick(WINDOW, 2)));
            Duration cpu = server.cpu().minus(before);
            check(loadCounts, server);
            figures.addAll(figures(loadCounts, learned, cpu));
            return figures;
        }
    }

    private static LoadCounts learn(URI uri) throws IOException {
        List<byte[]> runs = ScoreRequests.runs(uri.getAuthority(), KINDS);
        return driver(uri, runs).send(runs.size());
    }

    private static LoadDriver driver(URI uri, List<byte[]> requests) {
        return new LoadDriver(
                new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECTIONS, requests, 200);
    }

    private static void check(LoadCounts loadCounts, ServerProcess server) throws IOException {
        if (loadCounts.refused() > 0) {
            throw new IOException(
                    "%s questions were refused, the first one with: %s"
                            .formatted(loadCounts.refused(), loadCounts.firstRefusal()));
        }
        long choices = server.schedulerApi().choices();
        if (choices != loadCounts.acknowledged()) {
            throw new IOException(
                    "%s scores were answered and %s were counted"
                            .formatted(loadCounts.acknowledged(), choices));
        }
    }

    private static List<Figure> figures(LoadCounts loadCounts, LoadCounts learned, Duration cpu) {
        return List.of(
                Figure.of(
                                "scores over HTTP",
                                loadCounts.perSecond(),
                                "scores/s",
                                Target.atLeast(20_000))
                        .withNote(
                                "all "
                                        + loadCounts.acknowledged()
                                        + " were counted by the scheduler"),
                Figure.beside(
                        "answered within, median",
                        loadCounts.latencies().percentileMillis(50),
                        "ms"),
                Figure.beside(
                        "answered within, 99th percentile",
                        loadCounts.latencies().percentileMillis(99),
                        "ms"),
                Figure.beside(
                        "processor time of the scheduler per score",
                        cpu.toNanos() / 1e3 / loadCounts.acknowledged(),
                        "µs"),
                Figure.beside(
                        "processor time of the driver per score", loadCounts.cpuMicrosEach(), "µs"),
                Figure.beside(
                        "durable observations answered within, median, cold",
                        learned.latencies().percentileMillis(50),
                        "ms"));
    }
}
