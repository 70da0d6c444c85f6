package io.gpusched.sim.scaling;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.event.Batch;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.AnswerTimes;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ReplicaWorld;
import io.gpusched.sim.replica.ServingRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs a recorded pool under one law. In the run every replica has a node with one GPU; GPU-hours
/// and money are those of the recorded replicas.
///
///     the hour before ──▶ held at its size ──▶ from: the law decides ──▶ to ──▶ answers are
/// awaited
final class LawRun {
    private final PoolRecord record;
    private final List<ServingRequest> requests;
    private final IterationCost cost;

    LawRun(PoolRecord record, List<ServingRequest> requests, IterationCost cost) {
        this.record = record;
        this.requests = requests;
        this.cost = cost;
    }

    /// @param tried replaces all recorded documents of the pool; null where they stay
    /// @param measure the objectives by which requests are counted
    LawFigures run(LawChoice law, @Nullable Pool tried, Slo measure, PoolRun.Watcher watcher) {
        Pool first = law.on(tried == null ? record.pool() : tried);
        var usage = new ReplicaUsage(record.pool().id(), record.from());
        Listener listener = (batch, cycleResult) -> note(batch, usage);
        var around = new RecordedCase(record, first, tried == null ? law::on : null);
        var laws = new ArrayList<Scaler>(law.scalers());
        laws.addAll(record.laws());
        ReplicaWorld world =
                new PoolRun(around.with(requests, cost), laws, listener, watcher).run();
        usage.end(record.to());
        return figures(law.name(), world, usage, measure, first.replica().milliGpus());
    }

    private static void note(Batch batch, ReplicaUsage usage) {
        batch.facts().forEach(event -> usage.note(event, replica -> 0));
        batch.decided().forEach(event -> usage.note(event, replica -> 0));
    }

    private LawFigures figures(
            String law, ReplicaWorld world, ReplicaUsage usage, Slo measure, long milliGpus) {
        AnswerTimes answers = world.answers();
        double[] waits = requests.stream().mapToDouble(answers::wait).toArray();
        Arrays.setAll(waits, i -> Double.isNaN(waits[i]) ? Double.POSITIVE_INFINITY : waits[i]);
        Arrays.sort(waits);
        double price = record.dollarsPerHour();
        return new LawFigures(
                law,
                measure.isNone() || requests.isEmpty()
                        ? Double.NaN
                        : answers.percentWithin(
                                seconds(measure.firstTokenMillis()), betweenTokens(measure)),
                usage.replicaHours() * milliGpus / 1000,
                usage.added(),
                usage.removed(),
                new LawFigures.Quantiles(
                        quantile(waits, 0.5), quantile(waits, 0.95), quantile(waits, 0.99)),
                price == 0 ? Double.NaN : usage.replicaHours() * price);
    }

    private static double seconds(int millis) {
        return millis == 0 ? Double.POSITIVE_INFINITY : millis / 1000.0;
    }

    private static double betweenTokens(Slo slo) {
        double slowest =
                slo.tokensPerSecond() == 0 ? Double.POSITIVE_INFINITY : 1.0 / slo.tokensPerSecond();
        return Math.min(slowest, seconds(slo.interTokenMillis()));
    }

    private static double quantile(double[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) (part * (sorted.length - 1))];
    }
}
