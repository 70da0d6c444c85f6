package io.gpusched.gateway.scheduler;

import io.gpusched.gateway.admit.KeyOwner;
import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.measure.LoadCounters;
import io.gpusched.gateway.pool.PoolConfig;
import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Keeps the pools of the gateway as the scheduler has them, and reports their load.
///
/// Two virtual threads ask and report at their own pace. A report that fails is not repeated: the
/// next one covers its time as well, up to a minute.
public final class SchedulerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerLink.class);
    private static final Duration LONGEST_REPORT = Duration.ofSeconds(60);

    /// How often the scheduler is asked and told.
    public record Pace(Duration poll, Duration report) {}

    private final SchedulerClient client;
    private final EventLoop loop;
    private final PoolTable table;
    private final String source;
    private final Pace pace;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /// When the last report of each pool that counts ended. Belongs to the loop.
    private final Map<String, Long> reportedUpTo = new HashMap<>();

    /// Grows over restarts of the gateway, because it begins with the time of the start.
    private long sequence = System.currentTimeMillis();

    private volatile boolean reachable = true;
    private final AtomicLong failedReports = new AtomicLong();

    /// Pools whose last report failed.
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /// @param source names this gateway in its reports
    public SchedulerLink(
            SchedulerClient client, EventLoop loop, PoolTable table, String source, Pace pace) {
        this.client = client;
        this.loop = loop;
        this.table = table;
        this.source = source;
        this.pace = pace;
    }

    /// @param updated is called on the thread of the loop after every change, with the replicas
    ///        that the scheduler no longer lists
    public void start(Consumer<List<ServedReplica>> updated) {
        threads.add(
                Thread.ofVirtual()
                        .name("gateway-poll")
                        .start(() -> repeat(pace.poll, () -> poll(updated))));
        threads.add(
                Thread.ofVirtual()
                        .name("gateway-report")
                        .start(() -> repeat(pace.report, this::report)));
    }

    public boolean isReachable() {
        return reachable;
    }

    public long failedReports() {
        return failedReports.get();
    }

    /// Asks whose key this is, and passes the answer on the thread of the loop.
    public void owner(String key, Consumer<KeyOwner> then) {
        Thread.ofVirtual()
                .name("gateway-key")
                .start(
                        () -> {
                            KeyOwner owner = client.owner(key);
                            loop.post(() -> then.accept(owner));
                        });
    }

    private void repeat(Duration every, Runnable action) {
        try {
            do {
                action.run();
            } while (!stopped.await(every.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CancellationException _) {
            // The gateway stops.
        }
    }

    private void poll(Consumer<List<ServedReplica>> updated) {
        try {
            List<PoolConfig> pools = client.pools();
            if (pools != null) {
                loop.post(() -> updated.accept(table.update(pools)));
            }
            if (!reachable) {
                reachable = true;
                LOG.info("the scheduler answers again");
            }
        } catch (SchedulerFault e) {
            if (reachable && stopped.getCount() > 0) {
                reachable = false;
                LOG.warn(
                        "cannot read the pools; serving with the replicas known so far: {}",
                        e.getMessage());
            }
        }
    }

    /// Reports the load of every pool once.
    public void report() {
        var reporters = new ArrayList<Thread>();
        for (LoadReport report : loop.ask(this::reports)) {
            reporters.add(
                    Thread.ofVirtual()
                            .name("gateway-report-" + report.pool())
                            .start(() -> send(report)));
        }
        try {
            for (Thread reporter : reporters) {
                reporter.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<LoadReport> reports() {
        long now = loop.now();
        var reports = new ArrayList<LoadReport>();
        for (ServedPool pool : table.pools()) {
            long from = reportedUpTo.computeIfAbsent(pool.name(), _ -> now);
            long over = Math.max(1, (now - from) / 1_000_000);
            if (over > LONGEST_REPORT.toMillis()) {
                acknowledged(pool, pool.meter().counters(), now);
                over = 1;
            }
            reports.add(LoadReport.of(pool, source, ++sequence, over, now));
        }
        reportedUpTo.keySet().removeIf(name -> table.named(name) == null);
        failing.removeIf(name -> table.named(name) == null);
        return reports;
    }

    private void send(LoadReport report) {
        try {
            client.report(report.pool(), report.json());
            if (failing.remove(report.pool())) {
                LOG.info("the load of pool {} is reported again", report.pool());
            }
            loop.post(
                    () -> {
                        ServedPool pool = table.named(report.pool());
                        if (pool != null) {
                            acknowledged(pool, report.upTo(), report.madeAt());
                        }
                    });
        } catch (SchedulerFault e) {
            failedReports.incrementAndGet();
            if (failing.add(report.pool())) {
                LOG.warn("cannot report the load of pool {}: {}", report.pool(), e.getMessage());
            }
        }
    }

    private void acknowledged(ServedPool pool, LoadCounters upTo, long at) {
        pool.meter().acknowledge(upTo);
        reportedUpTo.put(pool.name(), at);
    }

    @Override
    public void close() {
        stopped.countDown();
        threads.forEach(Thread::interrupt);
    }
}
