package io.gpusched.sim.metrics;

import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Computes the metric values at the end of a run.
record Summary(
        SequencedMap<TenantId, JobTotals> tenants,
        int gpus,
        FleetUsage.Totals totals,
        double makespan) {
    RunMeasurements measured(int curve, TimeSeries timeSeries, List<RunMeasurements.Bar> bars) {
        var all = new JobTotals();
        var each = new LinkedHashMap<String, MetricValues>();
        long having = tenants.values().stream().filter(one -> one.submitted > 0).count();
        long share = Math.max(1000, gpus * 1000L / Math.max(1, having));
        var speeds = new ArrayList<Double>();
        for (var entry : tenants.entrySet()) {
            JobTotals jobTotals = entry.getValue();
            jobTotals.finished.sort(Comparator.comparingDouble(FairFinish.Finished::submitted));
            if (gpus > 0) {
                FairFinish.rhos(jobTotals.finished, share).forEach(jobTotals::add);
            }
            jobTotals.rhos.addTo(all::add);
            add(all, jobTotals);
            speeds.add(jobTotals.speeds.mean());
            var metricValues = new MetricValues();
            jobTotals.into(metricValues);
            metricValues.put(
                    Metric.ALLOCATION,
                    totals.there() == 0 ? 0 : jobTotals.gpuHours * 3600 / totals.there());
            each.put(entry.getKey().name(), metricValues);
        }
        var metricValues = new MetricValues();
        all.into(metricValues);
        cluster(metricValues);
        metricValues.put(Metric.JAIN, jain(speeds));
        return new RunMeasurements(
                metricValues,
                each,
                list(all.waits.curve(curve)),
                list(all.completions.curve(curve)),
                use(timeSeries),
                bars);
    }

    private static void add(JobTotals all, JobTotals one) {
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

    /// Energy and carbon of all jobs are those of the whole cluster, including idle GPUs.
    private void cluster(MetricValues metricValues) {
        metricValues.put(Metric.MAKESPAN, makespan);
        metricValues.put(Metric.UTILISATION, totals.busy() / totals.there());
        metricValues.put(Metric.ALLOCATION, totals.held() / totals.there());
        metricValues.put(
                Metric.FRAGMENTATION, totals.free() == 0 ? 0 : totals.fragments() / totals.free());
        metricValues.put(Metric.ENERGY, totals.kwh());
        metricValues.put(Metric.ENERGY_ASLEEP, totals.kwh() - totals.savedKwh());
        metricValues.put(Metric.CARBON, totals.grams());
    }

    /// Jain's fairness index: 1 if all values are equal, 1/n if one has everything.
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

    private static RunMeasurements.Use use(TimeSeries timeSeries) {
        double[] there = timeSeries.line(0);
        double[] held = timeSeries.line(1);
        double[] busy = timeSeries.line(2);
        double[] waiting = timeSeries.line(3);
        var allocation = new ArrayList<Double>();
        var utilisation = new ArrayList<Double>();
        var queue = new ArrayList<Double>();
        for (int i = 0; i < there.length; i++) {
            allocation.add(there[i] == 0 ? 0 : held[i] / there[i]);
            utilisation.add(there[i] == 0 ? 0 : busy[i] / there[i]);
            queue.add(waiting[i] / timeSeries.width());
        }
        return new RunMeasurements.Use(timeSeries.width(), allocation, utilisation, queue);
    }

    private static List<Double> list(double[] values) {
        var list = new ArrayList<Double>(values.length);
        for (double value : values) {
            list.add(value);
        }
        return list;
    }
}
