package io.gpusched.gateway.scrape;

import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.pool.EngineReading;
import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Probes the health of every replica and scrapes its metrics, each replica on a virtual thread of
/// its own, so that one that hangs delays no other.
public final class ReplicaWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaWatch.class);
    private static final int MOST_HEALTH_BYTES = 64 * 1024;
    private static final int MOST_METRICS_BYTES = 4 << 20;

    /// What the watch tells of replicas, on the thread of the loop.
    public interface Listener {
        void changed(ServedPool pool);

        void lost(ServedReplica replica);
    }

    /// @param patience how long one probe or scrape may take
    public record Pace(Duration probe, Duration scrape, Duration patience) {}

    private record Target(ServedPool pool, ServedReplica replica, String path) {}

    private final EventLoop loop;
    private final PoolTable table;
    private final Listener listener;
    private final Pace pace;
    private final PlainFetch health;
    private final PlainFetch metrics;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /// Replicas that are being probed, or scraped. Both belong to the loop.
    private final Set<ServedReplica> probing = new HashSet<>();

    private final Set<ServedReplica> scraping = new HashSet<>();

    /// The last scrape of each replica. Belongs to the loop.
    private final Map<ServedReplica, EngineMetrics> scrapes = new HashMap<>();

    public ReplicaWatch(EventLoop loop, PoolTable table, Listener listener, Pace pace) {
        this.loop = loop;
        this.table = table;
        this.listener = listener;
        this.pace = pace;
        health = new PlainFetch(pace.patience, MOST_HEALTH_BYTES);
        metrics = new PlainFetch(pace.patience, MOST_METRICS_BYTES);
    }

    public void start() {
        threads.add(
                Thread.ofVirtual()
                        .name("gateway-probe")
                        .start(() -> repeat(pace.probe, this::probeAll)));
        threads.add(
                Thread.ofVirtual()
                        .name("gateway-scrape")
                        .start(() -> repeat(pace.scrape, this::scrapeAll)));
    }

    private void repeat(Duration every, Runnable action) {
        try {
            while (!stopped.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                action.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CancellationException _) {
            // The gateway stops.
        }
    }

    private void probeAll() {
        for (Target target : loop.ask(() -> targets(probing, true))) {
            Thread.ofVirtual()
                    .name("gateway-probe-" + target.replica.jobId())
                    .start(() -> probe(target));
        }
    }

    private void scrapeAll() {
        for (Target target : loop.ask(() -> targets(scraping, false))) {
            Thread.ofVirtual()
                    .name("gateway-scrape-" + target.replica.jobId())
                    .start(() -> scrape(target));
        }
    }

    private List<Target> targets(Set<ServedReplica> busy, boolean probes) {
        var targets = new ArrayList<Target>();
        var listed = new HashSet<ServedReplica>();
        for (ServedPool pool : table.pools()) {
            var serving = pool.config().serving();
            String path = probes ? serving.healthPath() : serving.metricsPath();
            for (ServedReplica replica : pool.replicas()) {
                listed.add(replica);
                if (!path.isEmpty() && busy.add(replica)) {
                    targets.add(new Target(pool, replica, path));
                }
            }
        }
        scrapes.keySet().retainAll(listed);
        return targets;
    }

    private void probe(Target target) {
        boolean answers = answers(target);
        loop.post(
                () -> {
                    probing.remove(target.replica);
                    if (target.replica.probed(answers)) {
                        LOG.info(
                                "replica {} of pool {} is {}",
                                target.replica.jobId(),
                                target.pool.name(),
                                answers ? "healthy" : "not healthy");
                        listener.changed(target.pool);
                    }
                    // It may have become unready before: by a refused connection, or by draining.
                    if (target.replica.isLost()) {
                        listener.lost(target.replica);
                    }
                });
    }

    private boolean answers(Target target) {
        try {
            return health.fetch(target.replica.address(), target.path).status() / 100 == 2;
        } catch (IOException e) {
            return false;
        }
    }

    private void scrape(Target target) {
        try {
            PlainFetch.Page page = metrics.fetch(target.replica.address(), target.path);
            if (page.status() == 404) {
                loop.post(() -> scraped(target, EngineReading.NONE));
            } else if (page.status() != 200) {
                fault(target, "the metrics path answered " + page.status());
            } else {
                EngineMetrics now = EngineMetrics.of(MetricSamples.read(page.text()));
                loop.post(() -> scraped(target, now));
            }
        } catch (IOException | BadMetrics e) {
            fault(target, String.valueOf(e.getMessage()));
        }
    }

    private void scraped(Target target, EngineMetrics now) {
        try {
            scraped(target, now.since(scrapes.put(target.replica, now)));
        } catch (BadMetrics e) {
            faulty(target, String.valueOf(e.getMessage()));
        }
    }

    private void scraped(Target target, EngineReading reading) {
        scraping.remove(target.replica);
        target.replica.scraped(reading);
    }

    private void fault(Target target, String problem) {
        loop.post(() -> faulty(target, problem));
    }

    private void faulty(Target target, String problem) {
        scraping.remove(target.replica);
        scrapes.remove(target.replica);
        if (target.replica.isReady() && target.replica.scrapeProblem().isEmpty()) {
            LOG.warn(
                    "cannot read the metrics of replica {} of pool {}: {}",
                    target.replica.jobId(),
                    target.pool.name(),
                    problem);
        }
        target.replica.scrapeFailed(problem);
    }

    @Override
    public void close() {
        stopped.countDown();
        threads.forEach(Thread::interrupt);
    }
}
