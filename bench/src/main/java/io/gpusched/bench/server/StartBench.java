package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The start times of the scheduler and of a command.
public final class StartBench implements Bench {
    private static final int STARTS = 5;
    private static final int CALLS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path root;

    public StartBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String title() {
        return "start of the scheduler and of a command";
    }

    @Override
    public String how() {
        return """
        Everything is built. `bin/scheduler` is started %s times over an empty data directory; the
        time runs from the start of the launcher to the ready line. `bin/gpu-cli status` is called
        %s times against the last of them, after one call that does not count. Medians.\
        """
                .formatted(STARTS, CALLS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root)) {
            var starts = new double[thoroughness.pick(STARTS, 1)];
            for (int i = 0; i + 1 < starts.length; i++) {
                try (var server = start(shop, i)) {
                    starts[i] = server.readyAfter().toNanos() / 1e9;
                }
            }
            var server = start(shop, starts.length);
            starts[starts.length - 1] = server.readyAfter().toNanos() / 1e9;
            status(shop, server);
            var calls = new double[thoroughness.pick(CALLS, 2)];
            for (int i = 0; i < calls.length; i++) {
                calls[i] = status(shop, server);
            }
            return List.of(
                    Figure.of("scheduler ready after", median(starts), "s", Target.atMost(3))
                            .withNote(range(starts)),
                    Figure.of(
                                    "`gpu-cli status` done after",
                                    median(calls),
                                    "ms",
                                    Target.atMost(300))
                            .withNote(range(calls)));
        }
    }

    private static ServerProcess start(BenchFolder shop, int number) throws Exception {
        return ServerProcess.start(shop, shop.folder("data-" + number), Map.of(), PATIENCE);
    }

    /// Milliseconds from the start of the command to its end.
    private static double status(BenchFolder shop, ServerProcess server)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(
                        shop.launcher("gpu-cli").toString(),
                        "--api-url",
                        server.uri().toString(),
                        "status");
        Environments.clean(builder.environment());
        long begin = System.nanoTime();
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        double millis = (System.nanoTime() - begin) / 1e6;
        if (code != 0) {
            throw new IOException("gpu-cli status ended with " + code + ": " + said);
        }
        return millis;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String range(double[] values) {
        return String.format(
                Locale.ROOT,
                "%.2f to %.2f in %d runs",
                Arrays.stream(values).min().orElseThrow(),
                Arrays.stream(values).max().orElseThrow(),
                values.length);
    }
}
