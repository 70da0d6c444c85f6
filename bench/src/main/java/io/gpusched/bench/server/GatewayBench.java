package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.load.FakeReplicas;
import io.gpusched.bench.load.StreamDriver;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/// Streamed requests through the gateway.
public final class GatewayBench implements Bench {
    private static final int REPLICAS = 4;
    private static final int CONNECTIONS = 128;
    private static final int RATE = 1_000;
    private static final String DIRECT = "/v1/chat/completions";
    private static final String POOL = "/pools/chat/v1/chat/completions";

    private final Path root;

    public GatewayBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String title() {
        return "streamed requests through the gateway";
    }

    @Override
    public String page() {
        return "gateway";
    }

    @Override
    public String how() {
        return """
        `bin/gateway` in front of %s replicas that answer with %s tokens, the first at once and then
        one per millisecond, each in a write of its own. Replicas and clients are two threads of the
        bench, on the same cores as the gateway. First %s clients ask as fast as they are answered.
        Then %s requests per second go to a replica directly and through the gateway, to compare
        their times. At last one replica is drained and stopped and another one is killed while the
        clients go on: an answer that the killed replica had begun is cut, no other may be lost.\
        """
                .formatted(REPLICAS, FakeReplicas.TOKENS, CONNECTIONS, RATE);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        Duration warmUp = Duration.ofSeconds(thoroughness.pick(8, 1));
        Duration window = Duration.ofSeconds(thoroughness.pick(10, 1));
        try (var folder = BenchFolder.open(root);
                var replicas = new FakeReplicas(REPLICAS);
                var directory = new PoolDirectory()) {
            for (int i = 0; i < REPLICAS; i++) {
                directory.put("job-" + i, "ready", replicas.address(i));
            }
            GatewayProcess gateway = GatewayProcess.start(folder, directory.uri());
            var figures = new ArrayList<Figure>();
            throughput(gateway, warmUp, window, figures);
            var direct = measured(replicas.address(0), DIRECT, RATE, warmUp, window);
            var through = measured(gateway.address(), POOL, RATE, warmUp, window);
            times(direct, through, figures);
            figures.add(losses(replicas, directory, gateway, window));
            return figures;
        }
    }

    private static void throughput(
            GatewayProcess gateway, Duration warmUp, Duration window, List<Figure> figures)
            throws IOException {
        measured(gateway.address(), POOL, 0, Duration.ZERO, warmUp);
        Duration before = gateway.cpu();
        var counts = measured(gateway.address(), POOL, 0, Duration.ZERO, window);
        Duration cpu = gateway.cpu().minus(before);
        figures.add(
                Figure.of(
                        "streamed requests",
                        counts.perSecond(),
                        "requests/s",
                        Target.atLeast(5_000)));
        figures.add(
                Figure.beside(
                        "processor time of the gateway per request",
                        cpu.toNanos() / 1e3 / counts.whole(),
                        "µs"));
    }

    private static void times(
            StreamDriver.Counts direct, StreamDriver.Counts through, List<Figure> figures) {
        double before = direct.firstToken().percentileMillis(50);
        double after = through.firstToken().percentileMillis(50);
        figures.add(
                Figure.of(
                        "added to the first token, median",
                        after - before,
                        "ms",
                        Target.atMost(1)));
        figures.add(
                Figure.of(
                                "added to the last token, median",
                                through.total().percentileMillis(50)
                                        - direct.total().percentileMillis(50),
                                "ms",
                                Target.atMost(1))
                        .withNote("within the 1 ms steps of the replicas, so it may be negative"));
        figures.add(Figure.beside("first token, directly, median", before, "ms"));
        figures.add(Figure.beside("first token, through the gateway, median", after, "ms"));
        figures.add(
                Figure.beside(
                        "first token, directly, 99th percentile",
                        direct.firstToken().percentileMillis(99),
                        "ms"));
        figures.add(
                Figure.beside(
                        "first token, through the gateway, 99th percentile",
                        through.firstToken().percentileMillis(99),
                        "ms"));
    }

    /// @param rate 0 for as many as are answered
    private static StreamDriver.Counts measured(
            InetSocketAddress address, String path, double rate, Duration warmUp, Duration window)
            throws IOException {
        var counts = new StreamDriver(address, path, CONNECTIONS, rate).drive(warmUp, window);
        if (counts.lost() + counts.cut() > 0) {
            throw new IOException(
                    "%s requests were lost and %s answers were cut: %s"
                            .formatted(counts.lost(), counts.cut(), counts.firstLoss()));
        }
        return counts;
    }

    private static Figure losses(
            FakeReplicas replicas, PoolDirectory directory, GatewayProcess gateway, Duration window)
            throws IOException {
        CompletableFuture<StreamDriver.Counts> driven =
                CompletableFuture.supplyAsync(() -> drive(gateway, window));
        long quarter = window.toNanos() / 4;
        LockSupport.parkNanos(quarter);
        directory.put("job-0", "draining", replicas.address(0));
        while (!directory.isDrained("job-0") && !driven.isDone()) {
            LockSupport.parkNanos(1_000_000);
        }
        if (driven.isDone()) {
            throw new IOException("the gateway did not report that job-0 is drained");
        }
        replicas.crash(0);
        directory.remove("job-0");
        LockSupport.parkNanos(quarter);
        replicas.crash(1);
        StreamDriver.Counts counts = driven.join();
        return Figure.of(
                        "lost requests while a replica stops and another crashes",
                        (double) counts.lost(),
                        "",
                        Target.atMost(0))
                .withNote(
                        "of %,d; %s answers that the crashed replica had begun were cut. %s"
                                .formatted(
                                        counts.whole() + counts.cut() + counts.lost(),
                                        counts.cut(),
                                        counts.firstLoss()));
    }

    private static StreamDriver.Counts drive(GatewayProcess gateway, Duration window) {
        try {
            return new StreamDriver(gateway.address(), POOL, CONNECTIONS, 0)
                    .drive(Duration.ZERO, window);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
