package io.gpusched.lab.learning;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.Policy;
import io.gpusched.sim.metrics.Sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Measures the waiting times of a trace under one variant of backfilling.
final class BackfillExperiment implements LearningRun.Watcher {
    /// A variant of backfilling.
    ///
    /// @param told see [PhillyJobs#coming]
    record Variant(
            String name, String policy, PredictionSettings predictionSettings, double told) {}

    private static final double NEVER = Double.NaN;

    private final List<ArrivingJob> jobs;
    private final double[] waits;
    private final double[] promised;
    private final double[] reservedAt;

    private BackfillExperiment(List<ArrivingJob> jobs) {
        this.jobs = jobs;
        waits = new double[jobs.size()];
        promised = new double[jobs.size()];
        reservedAt = new double[jobs.size()];
        Arrays.fill(promised, NEVER);
        Arrays.fill(reservedAt, NEVER);
    }

    /// Runs the whole trace. Records the waiting time of each job, and the reservations of jobs at
    /// the head of the queue.
    static BackfillExperiment run(PhillyJobs trace, Variant way) {
        List<ArrivingJob> jobs = trace.coming(way.told);
        var measured = new BackfillExperiment(jobs);
        EngineSettings settings = EngineSettings.DEFAULT.with(way.predictionSettings);
        Policy policy = Objects.requireNonNull(Policies.named(way.policy, settings.policy()));
        new LearningRun(
                        new Engine(policy, settings),
                        trace.cluster(),
                        (job, run, engine) -> job.seconds(),
                        measured)
                .run(jobs);
        return measured;
    }

    @Override
    public void starts(int job, Run run, Instant now) {
        waits[job] = seconds(job, now);
    }

    @Override
    public void reserved(int job, Instant from, Instant now) {
        if (Double.isNaN(promised[job])) {
            promised[job] = seconds(job, from);
            reservedAt[job] = seconds(job, now);
        }
    }

    private double seconds(int job, Instant at) {
        return Duration.between(jobs.get(job).at(), at).toMillis() / 1e3;
    }

    double meanWait() {
        double sum = 0;
        for (double wait : waits) {
            sum += wait;
        }
        return sum / waits.length;
    }

    /// By nearest rank.
    double waitQuantile(double part) {
        var sample = new Sample();
        for (double wait : waits) {
            sample.add(wait);
        }
        return sample.quantile(part);
    }

    /// The number of jobs that got a reservation at the head of the queue.
    long heads() {
        return Arrays.stream(promised).filter(at -> !Double.isNaN(at)).count();
    }

    /// The mean delay of their starts after the first reserved time; negative if earlier.
    double meanDelay() {
        return overHeads(this, (one, job) -> one.waits[job] - one.promised[job]);
    }

    /// The mean time that they spent at the head of the queue.
    double meanAsHead() {
        return overHeads(this, (one, job) -> one.waits[job] - one.reservedAt[job]);
    }

    /// The mean waiting time here of the jobs that were heads of the queue under `other`.
    double meanWaitOfHeads(BackfillExperiment other) {
        return overHeads(other, (one, job) -> waits[job]);
    }

    private interface Figure {
        double of(BackfillExperiment one, int job);
    }

    private static double overHeads(BackfillExperiment of, Figure figure) {
        double sum = 0;
        int heads = 0;
        for (int job = 0; job < of.waits.length; job++) {
            if (!Double.isNaN(of.promised[job])) {
                sum += figure.of(of, job);
                heads++;
            }
        }
        return heads == 0 ? 0 : sum / heads;
    }
}
