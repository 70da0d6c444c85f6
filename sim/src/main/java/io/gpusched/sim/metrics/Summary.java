package io.gpusched.sim.metrics;

import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Makes figures of accounts when all is over.
record Summary(
        SequencedMap<TenantId, Account> tenants, int gpus, Fleet.Totals totals, double makespan) {
    Measured measured(int curve, Series series, List<Measured.Bar> bars) {
        var all = new Account();
        var each = new LinkedHashMap<String, Figures>();
        long having = tenants.values().stream().filter(one -> one.submitted > 0).count();
        long share = Math.max(1000, gpus * 1000L / Math.max(1, having));
        var speeds = new ArrayList<Double>();
        for (var entry : tenants.entrySet()) {
            Account account = entry.getValue();
            account.finished.sort(Comparator.comparingDouble(FairFinish.Finished::submitted));
            if (gpus > 0) {
                FairFinish.rhos(account.finished, share).forEach(account::add);
            }
            account.rhos.addTo(all::add);
            add(all, account);
            speeds.add(account.speeds.mean());
            var figures = new Figures();
            account.into(figures);
            figures.put(
                    Metric.ALLOCATION,
                    totals.there() == 0 ? 0 : account.gpuHours * 3600 / totals.there());
            each.put(entry.getKey().name(), figures);
        }
        var figures = new Figures();
        all.into(figures);
        cluster(figures);
        figures.put(Metric.JAIN, jain(speeds));
        return new Measured(
                figures,
                each,
                list(all.waits.curve(curve)),
                list(all.completions.curve(curve)),
                use(series),
                bars);
    }

    private static void add(Account all, Account one) {
        all.submitted += one.submitted;
        all.completed += one.completed;
        all.failed += one.failed;
        all.cancelled += one.cancelled;
        all.refused += one.refused;
        all.preemptions += one.preemptions;
        all.losses += one.losses;
        all.waitingSeconds += one.waitingSeconds;
        all.quotaSeconds += one.quotaSeconds;
        all.lostGpuHours += one.lostGpuHours;
        all.gpuHours += one.gpuHours;
        all.dollars += one.dollars;
        one.waits.addTo(all.waits::add);
        one.completions.addTo(all.completions::add);
        one.slowdowns.addTo(all.slowdowns::add);
    }

    /// Energy and carbon of all are those of the whole cluster, also of GPUs that nobody held.
    private void cluster(Figures figures) {
        figures.put(Metric.MAKESPAN, makespan);
        figures.put(Metric.UTILISATION, totals.busy() / totals.there());
        figures.put(Metric.ALLOCATION, totals.held() / totals.there());
        figures.put(
                Metric.FRAGMENTATION, totals.free() == 0 ? 0 : totals.fragments() / totals.free());
        figures.put(Metric.ENERGY, totals.kwh());
        figures.put(Metric.ENERGY_ASLEEP, totals.kwh() - totals.savedKwh());
        figures.put(Metric.CARBON, totals.grams());
    }

    /// Jain's index: 1 when all are alike, 1/n when one has everything.
    static double jain(List<Double> values) {
        double sum = 0;
        double squares = 0;
        int n = 0;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                sum += value;
                squares += value * value;
                n++;
            }
        }
        return squares == 0 ? Double.NaN : sum * sum / (n * squares);
    }

    private static Measured.Use use(Series series) {
        double[] there = series.line(0);
        double[] held = series.line(1);
        double[] busy = series.line(2);
        double[] waiting = series.line(3);
        var allocation = new ArrayList<Double>();
        var utilisation = new ArrayList<Double>();
        var queue = new ArrayList<Double>();
        for (int i = 0; i < there.length; i++) {
            allocation.add(there[i] == 0 ? 0 : held[i] / there[i]);
            utilisation.add(there[i] == 0 ? 0 : busy[i] / there[i]);
            queue.add(waiting[i] / series.width());
        }
        return new Measured.Use(series.width(), allocation, utilisation, queue);
    }

    private static List<Double> list(double[] values) {
        var list = new ArrayList<Double>(values.length);
        for (double value : values) {
            list.add(value);
        }
        return list;
    }
}
