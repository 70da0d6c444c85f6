package io.gpusched.server.metrics;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.ModelRow;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PoolPhase;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.ReplicaRow;
import io.gpusched.server.view.View;
import io.micrometer.core.instrument.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// Metrics of pools. The same figures have names of our own and, where there is one, the name that
/// NeuroNetes published. Gauges are read from the published view when they are scraped.
public final class PoolMeters implements Follower.BatchListener {
    /// Every pool is a time series of its own, so their number is limited.
    private static final int MOST_POOLS = 200;

    private static final double[] FIRST_TOKENS = {
        .01, .025, .05, .1, .25, .5, .75, 1, 2.5, 5, 10, 30, 60
    };
    private static final double MILLIS = 1e-3;

    private final Meters meters;
    private final Histogram firstTokens;

    public PoolMeters(Meters meters) {
        this.meters = meters;
        firstTokens =
                Histogram.builder()
                        .name("neuronetes_ttft_seconds")
                        .help("Mean time to the first token of each report of a replica.")
                        .labelNames("pool")
                        .classicOnly()
                        .classicUpperBounds(FIRST_TOKENS)
                        .withoutExemplars()
                        .register(meters.registry().getPrometheusRegistry());
    }

    /// Adds the gauges; they are read from these views.
    public void show(Supplier<View> views, LatestReadings readings, InstantSource clock) {
        replicas(views);
        load(views, clock);
        money(views);
        trouble(views, clock);
        neuronetes(views, clock);
        carbon(views, clock);
        locality(views);
        byPool(
                "neuronetes_gpu_utilization_percent",
                "Mean utilization of the GPUs of the nodes on which a pool's replicas run.",
                views,
                row -> utilization(row, views.get(), readings));
    }

    private void carbon(Supplier<View> views, InstantSource clock) {
        GaugeWithCallback.builder()
                .name("gpu_scheduler_carbon_intensity_grams")
                .help("Grams of CO2 per kWh of the power of a region now, as forecast.")
                .labelNames("region")
                .callback(
                        shown -> {
                            Instant now = clock.instant();
                            for (RegionForecast each : views.get().pools().forecasts()) {
                                Integer grams = each.at(now);
                                if (grams != null) {
                                    shown.call(grams, each.region());
                                }
                            }
                        })
                .register(meters.registry().getPrometheusRegistry());
    }

    private void replicas(Supplier<View> views) {
        GaugeWithCallback.builder()
                .name("gpu_scheduler_pool_replicas")
                .help("Replicas of a pool by state; warm ones are ready too.")
                .labelNames("pool", "state")
                .callback(
                        shown ->
                                rows(views)
                                        .forEach(
                                                row ->
                                                        states(row.counts())
                                                                .forEach(
                                                                        (state, count) ->
                                                                                shown.call(
                                                                                        count,
                                                                                        name(row),
                                                                                        state))))
                .register(meters.registry().getPrometheusRegistry());
        byPool(
                "gpu_scheduler_pool_desired_replicas",
                "Replicas that a pool should have.",
                views,
                PoolRow::desired);
        byPool(
                "gpu_scheduler_pool_max_replicas",
                "The most replicas that a pool may have.",
                views,
                row -> row.pool().max());
    }

    private void load(Supplier<View> views, InstantSource clock) {
        byPool(
                "gpu_scheduler_pool_tokens_per_second",
                "Tokens per second that a pool generated in the last minute.",
                views,
                row -> row.figuresAt(clock.instant()).tokensPerSecond());
        byPool(
                "gpu_scheduler_pool_tokens_in_queue",
                "Prompt tokens that no replica has begun.",
                views,
                row -> row.figuresAt(clock.instant()).now().tokensInQueue());
        byPool(
                "gpu_scheduler_pool_arrivals_per_second",
                "Requests per second that arrived in the last minute.",
                views,
                row -> row.figuresAt(clock.instant()).arrivalsPerSecond());
        byPool(
                "gpu_scheduler_pool_ttft_p95_seconds",
                "Time to the first token, 95th percentile of the last minute.",
                views,
                row -> row.figuresAt(clock.instant()).firstTokenP95() * MILLIS);
        byPool(
                "gpu_scheduler_pool_slo_ratio",
                "Share of the requests of the last minute that met the objectives of their pool.",
                views,
                row -> row.figuresAt(clock.instant()).sloPercent() / 100);
        byPool(
                "gpu_scheduler_pool_slo_target_ratio",
                "Share of the requests that should meet the objectives of their pool.",
                views,
                row ->
                        row.pool().slo().isNone()
                                ? Double.NaN
                                : row.pool().slo().permille() * MILLIS);
    }

    private void money(Supplier<View> views) {
        byPool(
                "gpu_scheduler_pool_cost_dollars_per_hour",
                "What the replicas of a pool cost per hour.",
                views,
                PoolRow::costPerHour);
        byPool(
                "gpu_scheduler_pool_cost_limit_dollars_per_hour",
                "What a pool may cost per hour at most; only pools with a limit.",
                views,
                row ->
                        row.pool().cost().maxMicroDollarsPerHour() == 0
                                ? Double.NaN
                                : row.pool().cost().maxMicroDollarsPerHour() / 1e6);
    }

    private void trouble(Supplier<View> views, InstantSource clock) {
        byPool(
                "gpu_scheduler_pool_stale",
                "1 for a pool whose replicas serve while nobody reports its load.",
                views,
                row -> row.isStale(clock.instant()) ? 1 : 0);
        byPool(
                "gpu_scheduler_pool_degraded",
                "1 for a pool whose replicas crash, find no GPUs, or whose load is not reported.",
                views,
                row -> row.phase(clock.instant()) == PoolPhase.DEGRADED ? 1 : 0);
        byPool(
                "gpu_scheduler_pool_failed_starts",
                "Replicas of a pool that ended by themselves in a row.",
                views,
                row -> row.isCrashing() ? row.failures() : 0);
        byPool(
                "gpu_scheduler_pool_waiting_seconds",
                "Longest time that a replica of a pool has waited for GPUs; 0 if none waits.",
                views,
                row -> waited(row.waitingSince(), clock.instant()));
    }

    private static double waited(@Nullable Instant since, Instant now) {
        return since == null ? 0 : Math.max(0, Duration.between(since, now).toMillis() * MILLIS);
    }

    private void neuronetes(Supplier<View> views, InstantSource clock) {
        byPool(
                "neuronetes_agentpool_replicas",
                "Replicas of a pool.",
                views,
                row -> row.counts().active());
        byPool(
                "neuronetes_agentpool_desired_replicas",
                "Replicas that a pool should have.",
                views,
                PoolRow::desired);
        byPool(
                "neuronetes_tokens_in_queue",
                "Prompt tokens that no replica has begun.",
                views,
                row -> row.figuresAt(clock.instant()).now().tokensInQueue());
        byPool(
                "neuronetes_concurrent_sessions",
                "Sessions of a pool that are active.",
                views,
                row -> row.figuresAt(clock.instant()).now().sessions());
        byPool(
                "neuronetes_warm_pool_replicas",
                "Ready replicas of a pool that are kept beyond what its load needs.",
                views,
                row -> row.counts().warm());
        CounterWithCallback.builder()
                .name("neuronetes_warm_pool_activations_total")
                .help("Warm replicas of a pool that began to serve because its load grew.")
                .labelNames("pool")
                .callback(
                        shown ->
                                rows(views)
                                        .forEach(
                                                row ->
                                                        shown.call(
                                                                (double) row.activations(),
                                                                name(row))))
                .register(meters.registry().getPrometheusRegistry());
    }

    /// How often jobs found on their nodes what they load and read; absent before the first one.
    private void locality(Supplier<View> views) {
        meters.gauge(
                "model_cache_hit_ratio",
                "Share of the placements of jobs that load a model on nodes that held it.",
                () -> ratio(views.get().pools().use().hits(), views.get().pools().use().starts()));
        meters.gauge(
                "data_locality_rate",
                "Share of the placements of jobs near vector stores on nodes that hold them all.",
                () -> ratio(views.get().pools().use().near(), views.get().pools().use().located()));
        GaugeWithCallback.builder()
                .name("gpu_scheduler_cached_models")
                .help("Copies of declared models on nodes, by state.")
                .labelNames("state")
                .callback(
                        shown ->
                                copies(views.get())
                                        .forEach((state, count) -> shown.call(count, state)))
                .register(meters.registry().getPrometheusRegistry());
    }

    private static Map<String, Integer> copies(View view) {
        var copies = new TreeMap<String, Integer>();
        for (CacheState state : CacheState.values()) {
            copies.put(word(state), 0);
        }
        for (ModelRow row : view.pools().models().values()) {
            row.nodes().values().forEach(each -> copies.merge(word(each.state()), 1, Integer::sum));
        }
        return copies;
    }

    private static String word(CacheState state) {
        return state == CacheState.EVICTED ? "wanted" : state.name().toLowerCase(Locale.ROOT);
    }

    private static double ratio(long part, long all) {
        return all == 0 ? Double.NaN : (double) part / all;
    }

    /// Adds a gauge with one row for each pool, absent where the figure is NaN.
    private void byPool(
            String name, String what, Supplier<View> views, ToDoubleFunction<PoolRow> figure) {
        meters.gauges(
                name,
                what,
                "pool",
                () -> {
                    var rows = new LinkedHashMap<String, Double>();
                    for (PoolRow row : rows(views)) {
                        double value = figure.applyAsDouble(row);
                        if (!Double.isNaN(value)) {
                            rows.put(name(row), value);
                        }
                    }
                    return rows;
                });
    }

    private static List<PoolRow> rows(Supplier<View> views) {
        return views.get().pools().rows().all().stream().limit(MOST_POOLS).toList();
    }

    private static String name(PoolRow row) {
        return row.pool().id().name();
    }

    private static Map<String, Integer> states(PoolCounts counts) {
        var states = new LinkedHashMap<String, Integer>();
        states.put("ready", counts.ready());
        states.put("starting", counts.starting());
        states.put("waiting", counts.waiting());
        states.put("draining", counts.draining());
        states.put("warm", counts.warm());
        return states;
    }

    private static double utilization(PoolRow row, View view, LatestReadings readings) {
        double sum = 0;
        int known = 0;
        for (ReplicaRow replica : row.replicas()) {
            NodeRow node = replica.node() == null ? null : view.nodes().row(replica.node());
            for (NodeRow.Held held : node == null ? List.<NodeRow.Held>of() : node.holders()) {
                for (int gpu = 0; node != null && gpu < node.totalGpus(); gpu++) {
                    double percent = readings.gpu(node.facts().id(), gpu).utilization();
                    if (held.job().equals(replica.job())
                            && held.milli(gpu) > 0
                            && Double.isFinite(percent)) {
                        sum += percent;
                        known++;
                    }
                }
            }
        }
        return known == 0 ? Double.NaN : sum / known;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        batch.facts().forEach(this::count);
        batch.decided().forEach(this::count);
    }

    private void count(Event event) {
        switch (event) {
            case Event.PoolScaled e -> scaled(e);
            case Event.PoolLoadChanged e -> {
                for (ReplicaLoad replica : e.load().replicas()) {
                    if (replica.firstTokenMillis() > 0) {
                        firstTokens
                                .labelValues(e.pool().name())
                                .observe(replica.firstTokenMillis() * MILLIS);
                    }
                }
            }
            default -> {}
        }
    }

    private void scaled(Event.PoolScaled e) {
        boolean up = e.to() > e.from();
        counter(
                        "gpu_scheduler_pool_scale_operations",
                        "Changes of the size of a pool, by direction.",
                        e.pool(),
                        "direction",
                        up ? "up" : "down")
                .increment();
        counter("neuronetes_agentpool_scale_operations", "Changes of the size of a pool.", e.pool())
                .increment();
        counter(
                        up ? "neuronetes_scale_up" : "neuronetes_scale_down",
                        "Changes of the size of a pool in this direction.",
                        e.pool())
                .increment();
    }

    private Counter counter(String name, String what, PoolId pool, String... more) {
        return Counter.builder(name)
                .description(what)
                .tag("pool", pool.name())
                .tags(more)
                .register(meters.registry());
    }
}
