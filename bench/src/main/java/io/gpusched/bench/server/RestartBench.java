package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A restart that replays the whole journal.
public final class RestartBench implements Bench {
    private static final int EVENTS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path root;

    public RestartBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String title() {
        return "ready again after a long history, without a snapshot";
    }

    @Override
    public String how() {
        return """
        A journal of %,d events is written to SQLite: jobs of 4 tenants are submitted, placed on
        1,000 nodes, run and end. Then `bin/scheduler` is started over it, with no snapshot to begin
        from; the time runs from the start of the launcher to the ready line.\
        """
                .formatted(EVENTS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root)) {
            Path data = shop.folder("data");
            long events = write(data, thoroughness.pick(EVENTS, EVENTS / 50));
            var server = ServerProcess.start(shop, data, Map.of(), PATIENCE);
            double seconds = server.readyAfter().toNanos() / 1e9;
            return List.of(
                    Figure.of("ready after", seconds, "s", Target.atMost(10)),
                    Figure.beside("events in the journal", (double) events, ""),
                    Figure.beside("events read and applied", events / seconds, "events/s")
                            .withNote("the start of the process included"),
                    Figure.beside(
                            "jobs known afterwards", (double) server.schedulerApi().jobs(), ""));
        }
    }

    private static long write(Path data, int events) {
        try (var journal = new JournalMaker(data)) {
            journal.wholeLives(events);
            return journal.events();
        }
    }
}
