package io.gpusched.server.metrics;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.Topology;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.ReplicaRow;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;
import io.prometheus.metrics.core.metrics.CounterWithCallback;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// What GPUs do, and what a thousand tokens cost in money and energy. The names are those that
/// NeuroNetes has in its code. A figure that nobody measured is absent.
public final class EfficiencyMeters {
    private static final int MOST_POOLS = 200;
    private static final int MOST_TENANTS = 100;
    private static final double MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

    /// Of tokens per second in thousands of tokens per hour.
    private static final double THOUSANDS_PER_HOUR = 3.6;

    private static final double WATTS_PER_KILOWATT = 1_000;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double BYTES_PER_GB = 1e9;
    private static final int PERCENT = 100;
    private static final int WHOLE = 1_000;

    private final Meters meters;
    private final Supplier<View> views;
    private final LatestReadings readings;
    private final InstantSource clock;

    private EfficiencyMeters(
            Meters meters, Supplier<View> views, LatestReadings readings, InstantSource clock) {
        this.meters = meters;
        this.views = views;
        this.readings = readings;
        this.clock = clock;
    }

    /// Adds the metrics; they are read from these views.
    public static void add(
            Meters meters, Supplier<View> views, LatestReadings readings, InstantSource clock) {
        var added = new EfficiencyMeters(meters, views, readings, clock);
        added.nodes();
        added.tokens();
        added.hours();
    }

    private void nodes() {
        byNode("gpu_util_pct", "Mean measured utilization of a node's GPUs.", this::utilization);
        byNode("gpu_vram_used_gb", "GPU memory in use on a node, in GB.", this::memory);
        byNode(
                "gpu_mig_slice_util_pct",
                "Share of the MIG slices of a node's GPUs that jobs hold.",
                EfficiencyMeters::slices);
        meters.gauge(
                "topology_penalty_score",
                "How much slower the connections of tasks with several GPUs are than the fastest"
                        + " one of their node: 0 for none, 1 for all.",
                () -> penalty(views.get()));
    }

    private void tokens() {
        meters.gauges(
                "cost_usd_per_1k_tokens",
                "What a pool pays for 1000 generated tokens, by the last minute.",
                "pool",
                () -> byPool(row -> row.costPerHour() > 0 ? row.costPerHour() : Double.NaN, 1));
        meters.gauges(
                "energy_kwh_per_1k_tokens",
                "Measured energy of a pool's GPUs for 1000 generated tokens, by the last minute.",
                "pool",
                () -> {
                    Map<JobId, Double> watts = watts(views.get());
                    return byPool(row -> watts(row, watts), 1 / WATTS_PER_KILOWATT);
                });
    }

    private void hours() {
        CounterWithCallback.builder()
                .name("gpu_hours_total")
                .help(
                        "GPU-hours of a tenant's runs that have ended; of at most "
                                + MOST_TENANTS
                                + " tenants, those with most.")
                .labelNames("tenant")
                .callback(
                        shown ->
                                views.get().tenants().all().stream()
                                        .sorted(
                                                Comparator.comparingLong(EfficiencyMeters::used)
                                                        .reversed())
                                        .limit(MOST_TENANTS)
                                        .forEach(
                                                row ->
                                                        shown.call(
                                                                used(row) / MILLIS_PER_HOUR,
                                                                row.tenant().id().name())))
                .register(meters.registry().getPrometheusRegistry());
    }

    private static long used(TenantRow row) {
        return row.totals().gpuMillis();
    }

    private void byNode(String name, String what, ToDoubleFunction<NodeRow> figure) {
        meters.gauges(
                name,
                what,
                "node",
                () -> {
                    var rows = new LinkedHashMap<String, Double>();
                    for (NodeRow row : views.get().nodes().all()) {
                        double value = figure.applyAsDouble(row);
                        if (!Double.isNaN(value)) {
                            rows.put(row.facts().id().name(), value);
                        }
                    }
                    return rows;
                });
    }

    private double utilization(NodeRow row) {
        return row.facts().gpus().stream()
                .mapToDouble(gpu -> reading(row, gpu).utilization())
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    private double memory(NodeRow row) {
        long sum = 0;
        int known = 0;
        for (Gpu gpu : row.facts().gpus()) {
            long used = reading(row, gpu).memoryUsedMiB();
            sum += Math.max(0, used);
            known += used >= 0 ? 1 : 0;
        }
        return known == 0 ? Double.NaN : sum * BYTES_PER_MIB / BYTES_PER_GB;
    }

    private LatestReadings.Gpu reading(NodeRow row, Gpu gpu) {
        return readings.gpu(row.facts().id(), gpu.index());
    }

    private static double slices(NodeRow row) {
        MigConfig.Kind kind = MigConfig.of(row.facts().labels()).kind();
        boolean fixed = kind == MigConfig.Kind.FIXED;
        long cut = fixed ? MigConfig.cutForGood(row.facts()) : 0;
        double held = 0;
        int gpus = 0;
        for (Gpu gpu : row.facts().gpus()) {
            boolean dynamic = kind == MigConfig.Kind.DYNAMIC && MigGpuModel.of(gpu) != null;
            if (dynamic || (cut >>> gpu.index() & 1) == 1) {
                gpus++;
                for (NodeRow.Held each : row.holders()) {
                    held += each.milli(gpu.index());
                }
            }
        }
        return gpus == 0 ? Double.NaN : Math.min(PERCENT, PERCENT * held / gpus / WHOLE);
    }

    private static double penalty(View view) {
        double sum = 0;
        int tasks = 0;
        for (NodeRow row : view.nodes().all()) {
            double best = pair(row.facts().topology(), row.facts().allGpus(), true);
            for (NodeRow.Held held : row.holders()) {
                if (best > 0 && Long.bitCount(held.gpus()) > 1 && held.parts().isEmpty()) {
                    sum += 1 - pair(row.facts().topology(), held.gpus(), false) / best;
                    tasks++;
                }
            }
        }
        return tasks == 0 ? Double.NaN : sum / tasks;
    }

    /// The points of the pairs of GPUs: of the best, or their mean; 0 where they are not known.
    private static double pair(Topology topology, long gpus, boolean best) {
        double sum = 0;
        double most = 0;
        int pairs = 0;
        long known = topology.size() >= Long.SIZE ? gpus : gpus & ((1L << topology.size()) - 1);
        for (long rest = known; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            for (long other = rest & rest - 1; other != 0; other &= other - 1) {
                int points = topology.points(gpu, Long.numberOfTrailingZeros(other));
                sum += points;
                most = Math.max(most, points);
                pairs++;
            }
        }
        return pairs == 0 ? 0 : best ? most : sum / pairs;
    }

    /// The power that each job draws, as measured; NaN for one with a GPU that nobody measured.
    private Map<JobId, Double> watts(View view) {
        var watts = new HashMap<JobId, Double>();
        for (NodeRow row : view.nodes().all()) {
            for (NodeRow.Held held : row.holders()) {
                for (Gpu gpu : row.facts().gpus()) {
                    double part = held.milli(gpu.index()) / (double) WHOLE;
                    if (part > 0) {
                        watts.merge(held.job(), part * reading(row, gpu).powerWatts(), Double::sum);
                    }
                }
            }
        }
        return watts;
    }

    private static double watts(PoolRow row, Map<JobId, Double> watts) {
        double sum = 0;
        for (ReplicaRow replica : row.replicas()) {
            sum += replica.node() == null ? 0 : watts.getOrDefault(replica.job(), 0.0);
        }
        return sum > 0 ? sum : Double.NaN;
    }

    /// What a pool uses per hour, divided by the thousands of tokens that it generates per hour.
    private Map<String, Double> byPool(ToDoubleFunction<PoolRow> perHour, double unit) {
        Instant now = clock.instant();
        var rows = new LinkedHashMap<String, Double>();
        views.get().pools().rows().all().stream()
                .limit(MOST_POOLS)
                .forEach(
                        row -> {
                            double tokens = row.figuresAt(now).tokensPerSecond();
                            double each =
                                    perHour.applyAsDouble(row) * unit / tokens / THOUSANDS_PER_HOUR;
                            if (tokens > 0 && Double.isFinite(each)) {
                                rows.put(row.pool().id().name(), each);
                            }
                        });
        return rows;
    }
}
