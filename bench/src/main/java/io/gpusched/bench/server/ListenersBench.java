package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.load.JobRequests;
import io.gpusched.bench.load.LoadCounts;
import io.gpusched.bench.load.LoadDriver;
import io.gpusched.bench.load.PacedSubmissions;
import io.gpusched.bench.load.StreamListeners;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/// Placements beside many listeners of live events.
public final class ListenersBench implements Bench {
    private static final int NODES = 10_000;
    private static final int TENANTS = 99;
    private static final int EACH = 10;
    private static final int ADMINS = 10;

    /// Each job is submitted and scheduled, which are two events.
    private static final int JOBS_PER_SECOND = 500;

    private static final int WRITERS = 16;
    private static final int DIFFERENT = 256;
    private static final int WARM_UP = 15;
    private static final int WINDOW = 4;
    private static final int TURNS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// The nodes have no agents, and must not be missed before the end.
    private static final Map<String, String> PATIENT =
            Map.of(
                    "GPU_SCHEDULER_AGENT_HEARTBEAT_INTERVAL_MS",
                    "600000",
                    "GPU_SCHEDULER_AGENT_LEASE_SECONDS",
                    "86400",
                    "GPU_SCHEDULER_API_RATE_LIMIT",
                    "0");

    private final Path root;

    public ListenersBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "listeners";
    }

    @Override
    public String title() {
        return "placements beside listeners of live events";
    }

    @Override
    public String how() {
        return """
        `bin/scheduler` with its journal in SQLite and %,d nodes. A driver on the same cores submits
        small jobs over %s connections as fast as they are answered, and all of them are placed at
        once. A second driver submits %s jobs per second of %s other tenants, which are 1,000 events
        per second. This is measured for %s s without listeners and for %s s with %,d listeners of these
        events over Server-Sent Events, each on a connection of its own: %s for each of the tenants,
        with its token, and %s administrators; %s times in turn after %s s of warm-up. Every listener
        must receive exactly the events of the jobs that it may see, in order.\
        """
                .formatted(
                        NODES,
                        WRITERS,
                        JOBS_PER_SECOND,
                        TENANTS,
                        WINDOW,
                        WINDOW,
                        TENANTS * EACH + ADMINS,
                        EACH,
                        ADMINS,
                        TURNS,
                        WARM_UP);
    }

    /// What was found in all turns.
    private static final class Found {
        final List<Double> alone = new ArrayList<>();
        final List<Double> beside = new ArrayList<>();
        long delivered;
        long lost;
        double seconds;
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        try (var shop = BenchFolder.open(root);
                var threads = Executors.newFixedThreadPool(2)) {
            Path data = shop.folder("data");
            try (var journal = new JournalMaker(data)) {
                journal.idle(thoroughness.pick(NODES, 1000));
            }
            var server = ServerProcess.start(shop, data, PATIENT, PATIENCE);
            var load = new Load(server.uri(), threads, thoroughness.pick(EACH, 1));
            load.prepare(server.schedulerApi());
            var window = Duration.ofSeconds(thoroughness.pick(WINDOW, 1));
            load.alone(Duration.ofSeconds(thoroughness.pick(WARM_UP, 1)));
            var found = new Found();
            for (int turn = 0; turn < thoroughness.pick(TURNS, 1); turn++) {
                found.alone.add(load.alone(window));
                found.beside.add(load.beside(window, found));
            }
            long waiting = server.schedulerApi().waitingJobs();
            if (waiting > 0) {
                throw new IOException(waiting + " jobs were not placed");
            }
            return figures(found);
        }
    }

    private static List<Figure> figures(Found found) {
        double alone = median(found.alone);
        double beside = median(found.beside);
        return List.of(
                Figure.of(
                        "placements with listeners to those without",
                        beside / alone,
                        "x",
                        Target.atLeast(0.9)),
                Figure.of(
                        "events lost, repeated or out of order",
                        (double) found.lost,
                        "",
                        Target.atMost(0)),
                Figure.beside("placements without listeners", alone, "per second"),
                Figure.beside("placements with listeners", beside, "per second"),
                Figure.beside(
                        "events delivered to listeners",
                        found.delivered / found.seconds,
                        "per second"));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /// The drivers and listeners of one server.
    private static final class Load {
        private final SocketAddress address;
        private final String host;
        private final ExecutorService threads;
        private final int each;
        private final LoadDriver placements;
        private final PacedSubmissions paced;
        private final List<byte[]> listening = new ArrayList<>();

        Load(URI uri, ExecutorService threads, int each) {
            this.address = new InetSocketAddress(uri.getHost(), uri.getPort());
            this.host = uri.getAuthority();
            this.threads = threads;
            this.each = each;
            var many = new ArrayList<byte[]>();
            for (int i = 0; i < DIFFERENT; i++) {
                many.add(JobRequests.small(host, "default"));
            }
            placements = new LoadDriver(address, WRITERS, many, 201);
            var some = new ArrayList<byte[]>();
            for (int i = 0; i < TENANTS; i++) {
                some.add(JobRequests.small(host, tenant(i)));
            }
            paced = new PacedSubmissions(address, some, JOBS_PER_SECOND);
        }

        private static String tenant(int number) {
            return "live-" + number;
        }

        /// Creates the tenants, and their tokens for the listeners.
        void prepare(SchedulerApi api) throws IOException {
            var names = new ArrayList<String>();
            for (int i = 0; i < TENANTS; i++) {
                names.add(tenant(i));
                api.createTenant(tenant(i));
                String token = api.createToken(tenant(i));
                for (int j = 0; j < each; j++) {
                    listening.add(StreamListeners.request(host, "kind=submitted,scheduled", token));
                }
            }
            String all = "kind=submitted,scheduled&tenant=" + String.join(",", names);
            for (int i = 0; i < ADMINS; i++) {
                listening.add(StreamListeners.request(host, all, ""));
            }
        }

        /// Placements per second without listeners.
        double alone(Duration window) throws Exception {
            var submitting = threads.submit(() -> paced.submit(window));
            double rate = rate(placements.drive(Duration.ZERO, window));
            submitting.get();
            return rate;
        }

        /// Placements per second with listeners.
        double beside(Duration window, Found found) throws Exception {
            long begin = System.nanoTime();
            try (var listeners = new StreamListeners(address, listening)) {
                var ended = new AtomicBoolean();
                long[] expected = new long[listening.size()];
                var reading = threads.submit(() -> listeners.read(ended, expected));
                var submitting = threads.submit(() -> paced.submit(window));
                begin = System.nanoTime();
                double rate = rate(placements.drive(Duration.ZERO, window));
                expect(submitting.get(), expected);
                found.seconds += (System.nanoTime() - begin) / 1e9;
                ended.set(true);
                found.lost += reading.get();
                found.delivered += listeners.events();
                return rate;
            }
        }

        private void expect(long[] jobs, long[] expected) {
            long all = 0;
            for (int i = 0; i < TENANTS; i++) {
                all += 2 * jobs[i];
                for (int j = 0; j < each; j++) {
                    expected[i * each + j] = 2 * jobs[i];
                }
            }
            for (int i = 0; i < ADMINS; i++) {
                expected[TENANTS * each + i] = all;
            }
        }

        private static double rate(LoadCounts counts) throws IOException {
            if (counts.refused() > 0) {
                throw new IOException("a submission was refused: " + counts.firstRefusal());
            }
            return counts.perSecond();
        }
    }
}
