package io.gpusched.gateway.binding;

import io.gpusched.gateway.scheduler.SchedulerClient;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Reads the queues of all bindings of the scheduler and reports their depths.
///
///     BindingReader (list of bindings)
///        └── BindingWatch, one per binding ──► QueueLag ──► Redis, RabbitMQ, NATS, …
///                     └──► POST /api/v1/pools/{name}/load, source queue/<binding>
///
/// Several gateways may run it: every report carries the whole depth and a sequence number made
/// from the time, so the newest report counts.
public final class BindingReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BindingReader.class);

    private final SchedulerBindings scheduler;
    private final Pace pace;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final ConcurrentSkipListMap<String, BindingWatch> watches =
            new ConcurrentSkipListMap<>();
    private String problem = "";

    public BindingReader(SchedulerClient scheduler) {
        this(scheduler, Pace.USUAL);
    }

    BindingReader(SchedulerClient scheduler, Pace pace) {
        this.scheduler = new SchedulerBindings(scheduler);
        this.pace = pace;
    }

    /// Starts reading in the background.
    public BindingReader start() {
        Thread.ofVirtual().name("bindings").start(this::run);
        return this;
    }

    /// The state of every binding in Prometheus' text format.
    public String metrics() {
        return BindingMetrics.text(List.copyOf(watches.values()));
    }

    private void run() {
        try {
            do {
                refresh();
            } while (!stopped.await(pace.refresh().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watches.values().forEach(BindingWatch::stop);
        }
    }

    /// Known bindings go on while the scheduler gives no list.
    private void refresh() {
        String now = "";
        try {
            follow(scheduler.list());
        } catch (LagProblem e) {
            now = String.valueOf(e.getMessage());
        }
        if (!now.equals(problem)) {
            if (now.isEmpty()) {
                LOG.info("the scheduler gives the list of bindings again");
            } else {
                LOG.warn("the list of bindings cannot be read: {}", now);
            }
            problem = now;
        }
    }

    private void follow(List<Binding> bindings) {
        var wanted = new TreeMap<String, Binding>();
        bindings.forEach(binding -> wanted.put(binding.name(), binding));
        for (String name : new TreeSet<>(watches.keySet())) {
            BindingWatch watch = watches.get(name);
            if (watch != null && !watch.binding().equals(wanted.get(name))) {
                watch.stop();
                watches.remove(name);
            }
        }
        wanted.forEach(
                (name, binding) -> {
                    if (!watches.containsKey(name)) {
                        var watch = new BindingWatch(binding, scheduler, pace);
                        watches.put(name, watch);
                        Thread.ofVirtual().name("binding-watch-" + name).start(watch);
                    }
                });
    }

    @Override
    public void close() {
        stopped.countDown();
    }
}
