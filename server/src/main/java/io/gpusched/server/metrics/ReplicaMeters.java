package io.gpusched.server.metrics;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.server.cell.Follower;
import io.micrometer.core.instrument.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How long replicas and gangs took to start, what took their capacity away, and what spot capacity
/// saved. The names are those that NeuroNetes has in its code; [PoolMeters] has those of its
/// documents.
public final class ReplicaMeters implements Follower.BatchListener {
    private static final int MOST_POOLS = 200;
    private static final double[] STARTS = {1, 5, 10, 30, 60, 120, 300, 600};
    private static final double[] WAITS = {1, 5, 10, 30, 60, 120, 300};
    private static final double MILLIS = 1e-3;

    private final Meters meters;
    private final Histogram lags;
    private final Histogram loads;
    private final Histogram gangs;
    private final SpotSavings savings = new SpotSavings();

    /// Replicas that have not served yet, and when they were submitted.
    private final Map<JobId, Instant> starting = new HashMap<>();

    private boolean followed;

    public ReplicaMeters(Meters meters) {
        this.meters = meters;
        lags =
                histogram(
                        "agent_scaling_lag_seconds",
                        "Time from the decision for one more replica until it takes requests.",
                        STARTS,
                        "pool");
        loads =
                histogram(
                        "model_load_time_seconds",
                        "Time from the placement of a replica until it takes requests.",
                        STARTS,
                        "pool",
                        "model");
        gangs =
                histogram(
                        "gang_schedule_wait_seconds",
                        "Time from the submission of a job of several tasks to its placement.",
                        WAITS);
    }

    private Histogram histogram(String name, String help, double[] bounds, String... labels) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .register(meters.registry().getPrometheusRegistry());
    }

    /// Adds what is read at every scrape.
    public void show(InstantSource clock) {
        CounterWithCallback.builder()
                .name("spot_savings_usd_total")
                .help("What replicas on spot capacity would have cost more on demand, in dollars.")
                .labelNames("pool")
                .callback(
                        shown ->
                                savings.at(clock.instant()).entrySet().stream()
                                        .limit(MOST_POOLS)
                                        .forEach(
                                                each ->
                                                        shown.call(
                                                                each.getValue(),
                                                                each.getKey().name())))
                .register(meters.registry().getPrometheusRegistry());
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        var heard = new LinkedHashSet<PoolId>();
        Instant closed = null;
        boolean moved = !followed;
        for (var events : List.of(batch.facts(), batch.decided())) {
            for (Event event : events) {
                count(event, engine, heard);
                closed = closed == null && event instanceof Event.NodeChanged e ? e.at() : closed;
                moved |= changesPrices(event);
            }
        }
        heard.forEach(pool -> served(engine.state().pools().find(pool), pool, engine));
        if (closed != null) {
            interrupted(closed, engine);
        }
        if (moved) {
            savings.follow(engine, batch.at());
            followed = true;
        }
    }

    /// Whether replicas may have other capacity, or capacity another price.
    private static boolean changesPrices(Event event) {
        return event instanceof Event.AttemptPlaced
                || event instanceof Event.JobRequeued
                || event instanceof Event.JobEnded
                || event instanceof Event.MarketChanged
                || event instanceof Event.NodeJoined;
    }

    private void count(Event event, Engine engine, Set<PoolId> heard) {
        switch (event) {
            case Event.JobSubmitted e -> {
                if (e.spec().replica() != null) {
                    starting.put(e.job(), e.at());
                }
            }
            case Event.PoolLoadChanged e -> heard.add(e.pool());
            case Event.AttemptRunning e -> {
                PoolId pool = pool(e.attempt(), engine);
                if (pool != null) {
                    heard.add(pool);
                }
            }
            case Event.AttemptPlaced e -> waited(e, engine);
            case Event.PoolScaled e ->
                    counter(
                                    "hpa_decisions",
                                    "Decisions for another size of a pool, by direction.",
                                    e.pool(),
                                    "direction",
                                    e.to() > e.from() ? "up" : "down")
                            .increment();
            case Event.AttemptStopping e -> {
                PoolId pool = pool(e.attempt(), engine);
                if (pool != null && e.cause().kind() == StopCause.Kind.PREEMPTED) {
                    counter("replica_preemptions", "Replicas preempted for other jobs.", pool)
                            .increment();
                }
            }
            case Event.JobEnded e -> starting.remove(e.job());
            default -> {}
        }
    }

    private static @Nullable PoolId pool(AttemptId attempt, Engine engine) {
        Job job = engine.state().job(attempt.job());
        Replica replica = job == null ? null : job.spec().replica();
        return replica == null ? null : new PoolId(replica.pool());
    }

    private void waited(Event.AttemptPlaced placed, Engine engine) {
        Job job = engine.state().job(placed.attempt().job());
        if (job != null && placed.attempt().number() == 1 && placed.on().slots().size() > 1) {
            gangs.observe(seconds(job.submitted(), placed.at()));
        }
    }

    /// Observes replicas that take requests for the first time.
    private void served(@Nullable PoolEntry entry, PoolId pool, Engine engine) {
        if (entry == null || starting.isEmpty()) {
            return;
        }
        for (ReplicaStatus status : entry.replicas()) {
            Instant ready = status.ready();
            Instant submitted = ready == null ? null : starting.remove(status.job());
            if (ready == null || submitted == null) {
                continue;
            }
            lags.labelValues(pool.name()).observe(seconds(submitted, ready));
            Job job = engine.state().job(status.job());
            String model = job == null ? "" : job.spec().labels().value(ModelSpec.LABEL);
            Instant placed = status.placed();
            if (placed != null && !model.isEmpty()) {
                loads.labelValues(pool.name(), model).observe(seconds(placed, ready));
            }
        }
    }

    /// Counts replicas whose spot node was taken away since then.
    private void interrupted(Instant since, Engine engine) {
        for (PoolEntry entry : engine.state().pools().all()) {
            int replicas = entry.interruptionsSince(since);
            if (replicas > 0) {
                counter("spot_interruptions", "Replicas that lost their spot capacity.", entry.id())
                        .increment(replicas);
            }
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() * MILLIS);
    }

    private Counter counter(String name, String what, PoolId pool, String... more) {
        return Counter.builder(name)
                .description(what)
                .tag("pool", pool.name())
                .tags(more)
                .register(meters.registry());
    }
}
