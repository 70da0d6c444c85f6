package io.gpusched.sim.metrics;

import io.gpusched.core.model.Outcome;

import java.util.ArrayList;
import java.util.List;

/// Running totals over the jobs of one tenant, or over all jobs.
final class JobTotals {
    private static final double[] PARTS = {0.5, 0.9, 0.99};

    long submitted;
    long completed;
    long failed;
    long cancelled;
    long refused;
    long preemptions;
    long losses;
    /// Jobs in the queue now, and whether the quota was the last reason given for one of them.
    long waiting;

    boolean atQuota;
    double waitingSeconds;
    double quotaSeconds;
    double lostGpuHours;
    double gpuHours;
    double kwh;
    double grams;
    double dollars;
    final Sample waits = new Sample();
    final Sample completions = new Sample();
    final Sample slowdowns = new Sample();
    final Sample rhos = new Sample();
    /// The part of the time from submission to the end in which a job ran.
    final Sample speeds = new Sample();

    final List<FairFinish.Finished> finished = new ArrayList<>();
    private double unfair;

    void ended(Outcome.Result result) {
        switch (result) {
            case COMPLETED -> completed++;
            case FAILED -> failed++;
            case CANCELLED -> cancelled++;
        }
    }

    void add(double rho) {
        rhos.add(rho);
        unfair += rho > 1 + 1e-9 ? 1 : 0;
    }

    void into(MetricValues metricValues) {
        metricValues.count(Metric.JOBS, submitted);
        metricValues.count(Metric.COMPLETED, completed);
        metricValues.count(Metric.FAILED, failed);
        metricValues.count(Metric.UNFINISHED, submitted - completed - failed - cancelled);
        metricValues.count(Metric.REFUSED, refused);
        metricValues.count(Metric.PREEMPTIONS, preemptions);
        metricValues.count(Metric.LOSSES, losses);
        metricValues.put(
                Metric.AT_QUOTA, waitingSeconds == 0 ? Double.NaN : quotaSeconds / waitingSeconds);
        metricValues.put(Metric.GPU_HOURS, gpuHours);
        metricValues.put(Metric.LOST_HOURS, lostGpuHours);
        metricValues.put(Metric.ENERGY, kwh);
        metricValues.put(Metric.COST, dollars);
        metricValues.put(Metric.CARBON, grams);
        metricValues.put(Metric.FINISH_MEAN, rhos.mean());
        metricValues.put(Metric.FINISH_P99, rhos.quantile(0.99));
        metricValues.put(Metric.UNFAIR, rhos.size() == 0 ? Double.NaN : unfair / rhos.size());
        spread(metricValues, waits, Metric.WAIT_MEAN);
        spread(metricValues, completions, Metric.COMPLETION_MEAN);
        spread(metricValues, slowdowns, Metric.SLOWDOWN_MEAN);
    }

    /// The mean, and the quantiles that follow it in the list of metrics.
    private static void spread(MetricValues metricValues, Sample sample, Metric mean) {
        metricValues.put(mean, sample.mean());
        for (int i = 0; i < PARTS.length; i++) {
            metricValues.put(Metric.values()[mean.ordinal() + 1 + i], sample.quantile(PARTS[i]));
        }
    }
}
