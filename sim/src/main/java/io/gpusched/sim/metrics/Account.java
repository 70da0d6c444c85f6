package io.gpusched.sim.metrics;

import io.gpusched.core.model.Outcome;

import java.util.ArrayList;
import java.util.List;

/// What the jobs of one tenant, or all jobs, came to so far.
final class Account {
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

    void into(Figures figures) {
        figures.count(Metric.JOBS, submitted);
        figures.count(Metric.COMPLETED, completed);
        figures.count(Metric.FAILED, failed);
        figures.count(Metric.UNFINISHED, submitted - completed - failed - cancelled);
        figures.count(Metric.REFUSED, refused);
        figures.count(Metric.PREEMPTIONS, preemptions);
        figures.count(Metric.LOSSES, losses);
        figures.put(
                Metric.AT_QUOTA, waitingSeconds == 0 ? Double.NaN : quotaSeconds / waitingSeconds);
        figures.put(Metric.GPU_HOURS, gpuHours);
        figures.put(Metric.LOST_HOURS, lostGpuHours);
        figures.put(Metric.ENERGY, kwh);
        figures.put(Metric.COST, dollars);
        figures.put(Metric.CARBON, grams);
        figures.put(Metric.FINISH_MEAN, rhos.mean());
        figures.put(Metric.FINISH_P99, rhos.quantile(0.99));
        figures.put(Metric.UNFAIR, rhos.size() == 0 ? Double.NaN : unfair / rhos.size());
        spread(figures, waits, Metric.WAIT_MEAN);
        spread(figures, completions, Metric.COMPLETION_MEAN);
        spread(figures, slowdowns, Metric.SLOWDOWN_MEAN);
    }

    /// The mean, and the quantiles that follow it in the list of metrics.
    private static void spread(Figures figures, Sample sample, Metric mean) {
        figures.put(mean, sample.mean());
        for (int i = 0; i < PARTS.length; i++) {
            figures.put(Metric.values()[mean.ordinal() + 1 + i], sample.quantile(PARTS[i]));
        }
    }
}
