package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Pace;
import io.gpusched.bench.core.ScoreSpeed;
import io.gpusched.bench.load.LoadDriver;
import io.gpusched.bench.load.ScoreRequests;
import io.gpusched.bench.load.Tally;
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
    public List<Figure> run(Pace pace) throws Exception {
        var figures = new ArrayList<Figure>(ScoreSpeed.measure(pace));
        try (var shop = Workshop.open(root)) {
            var server = ServerProcess.start(shop, shop.folder("data"), Map.of(), PATIENCE);
            URI uri = server.uri();
            Tally learned = learn(uri);
            Duration before = server.cpu();
            Tally tally =
                    driver(uri, ScoreRequests.questions(uri.getAuthority(), KINDS))
                            .drive(
                                    Duration.ofSeconds(pace.pick(WARM_UP, 2)),
                                    Duration.ofSeconds(pace.pick(WINDOW, 2)));
            Duration cpu = server.cpu().minus(before);
            check(tally, server);
            figures.addAll(figures(tally, learned, cpu));
            return figures;
        }
    }

    private static Tally learn(URI uri) throws IOException {
        List<byte[]> runs = ScoreRequests.runs(uri.getAuthority(), KINDS);
        return driver(uri, runs).send(runs.size());
    }

    private static LoadDriver driver(URI uri, List<byte[]> requests) {
        return new LoadDriver(
                new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECTIONS, requests, 200);
    }

    private static void check(Tally tally, ServerProcess server) throws IOException {
        if (tally.refused() > 0) {
            throw new IOException(
                    "%s questions were refused, the first one with: %s"
                            .formatted(tally.refused(), tally.firstRefusal()));
        }
        long choices = server.api().choices();
        if (choices != tally.acknowledged()) {
            throw new IOException(
                    "%s scores were answered and %s were counted"
                            .formatted(tally.acknowledged(), choices));
        }
    }

    private static List<Figure> figures(Tally tally, Tally learned, Duration cpu) {
        return List.of(
                Figure.of("scores over HTTP", tally.perSecond(), "scores/s", Target.atLeast(20_000))
                        .withNote("all " + tally.acknowledged() + " were counted by the scheduler"),
                Figure.beside(
                        "answered within, median", tally.latencies().percentileMillis(50), "ms"),
                Figure.beside(
                        "answered within, 99th percentile",
                        tally.latencies().percentileMillis(99),
                        "ms"),
                Figure.beside(
                        "processor time of the scheduler per score",
                        cpu.toNanos() / 1e3 / tally.acknowledged(),
                        "µs"),
                Figure.beside(
                        "processor time of the driver per score", tally.cpuMicrosEach(), "µs"),
                Figure.beside(
                        "durable observations answered within, median, cold",
                        learned.latencies().percentileMillis(50),
                        "ms"));
    }
}
