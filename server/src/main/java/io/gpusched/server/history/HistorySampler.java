package io.gpusched.server.history;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.StateCounts;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;
import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.WaitSketch;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Makes one step of the history: gauges from the published view and the latest readings, and the
/// counts since the last step.
final class HistorySampler {
    private static final double WHOLE = 1000;

    private final View view;
    private final LatestReadings readings;
    private final Map<String, Map<HistoryColumn, Double>> tenants = new TreeMap<>();
    private double used;
    private double watts;
    private double utilization;
    private double hottest = Double.NaN;
    private int gpus;
    private int busy;
    private int powered;

    HistorySampler(View view, LatestReadings readings) {
        this.view = view;
        this.readings = readings;
    }

    /// The rows of the cluster and of every tenant that has jobs.
    List<HistoryRow> rows(int step, long at, HistoryCounts.Counts counts) {
        view.nodes().all().forEach(this::add);
        view.tenants().all().forEach(this::add);
        counts.byTenant.forEach(
                (tenant, started) -> add(tenant, HistoryColumn.STARTED, started.runs()));
        var rows = new ArrayList<HistoryRow>();
        tenants.forEach(
                (tenant, figures) -> {
                    HistoryCounts.Started started = counts.byTenant.get(tenant);
                    rows.add(
                            new HistoryRow(
                                    step,
                                    at,
                                    tenant,
                                    1,
                                    measured(),
                                    figures,
                                    started == null ? WaitSketch.NONE : started.waits()));
                });
        var all = new ArrayList<>(LargestTenants.of(rows));
        all.addFirst(
                new HistoryRow(
                        step, at, "", 1, measured(), cluster(counts), counts.started.waits()));
        return all;
    }

    private int measured() {
        return busy + powered > 0 || Double.isFinite(hottest) ? 1 : 0;
    }

    private Map<HistoryColumn, Double> cluster(HistoryCounts.Counts counts) {
        var figures = new EnumMap<HistoryColumn, Double>(HistoryColumn.class);
        figures.putAll(counts.all);
        figures.put(HistoryColumn.GPUS_TOTAL, (double) gpus);
        figures.put(HistoryColumn.GPUS_USED, used);
        figures.put(HistoryColumn.WAITING, waiting(view.stateCounts()));
        figures.put(HistoryColumn.RUNNING, running(view.stateCounts()));
        if (busy > 0) {
            figures.put(HistoryColumn.GPU_UTILIZATION, utilization / busy / 100);
        }
        if (powered > 0) {
            figures.put(HistoryColumn.POWER_WATTS, watts);
        }
        if (Double.isFinite(hottest)) {
            figures.put(HistoryColumn.GPU_TEMPERATURE_MAX, hottest);
        }
        return figures;
    }

    private void add(NodeRow row) {
        int count = row.totalGpus();
        gpus += count;
        List<LatestReadings.Gpu> latest = readings.all(row.facts().id(), count);
        latest.forEach(this::add);
        for (NodeRow.Held held : row.holders()) {
            Job job = view.job(held.job());
            TenantId tenant = job == null ? null : job.tenant();
            for (int gpu = 0; gpu < count; gpu++) {
                double part = held.milli(gpu) / WHOLE;
                used += part;
                if (tenant != null && part > 0) {
                    add(tenant.name(), HistoryColumn.GPUS_USED, part);
                    add(tenant, part * latest.get(gpu).powerWatts());
                }
            }
        }
    }

    private void add(LatestReadings.Gpu reading) {
        if (Double.isFinite(reading.utilization())) {
            utilization += reading.utilization();
            busy++;
        }
        if (Double.isFinite(reading.powerWatts())) {
            watts += reading.powerWatts();
            powered++;
        }
        if (Double.isFinite(reading.temperature())) {
            hottest =
                    Double.isNaN(hottest)
                            ? reading.temperature()
                            : Math.max(hottest, reading.temperature());
        }
    }

    /// The power of a shared GPU counts for each holder by the part that it holds.
    private void add(TenantId tenant, double power) {
        if (Double.isFinite(power)) {
            add(tenant.name(), HistoryColumn.POWER_WATTS, power);
        }
    }

    private void add(TenantRow row) {
        String tenant = row.tenant().id().name();
        add(tenant, HistoryColumn.WAITING, waiting(row.stateCounts()));
        add(tenant, HistoryColumn.RUNNING, running(row.stateCounts()));
    }

    private void add(String tenant, HistoryColumn column, double figure) {
        if (figure != 0) {
            tenants.computeIfAbsent(tenant, name -> new EnumMap<>(HistoryColumn.class))
                    .merge(column, figure, Double::sum);
        }
    }

    private static double waiting(StateCounts counts) {
        return counts.of(PublicState.PENDING) + counts.of(PublicState.PREEMPTED);
    }

    private static double running(StateCounts counts) {
        return counts.of(PublicState.RUNNING) + counts.of(PublicState.SCHEDULED);
    }
}
