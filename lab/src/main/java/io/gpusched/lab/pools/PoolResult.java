package io.gpusched.lab.pools;

import io.gpusched.core.pool.Slo;
import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.replica.AnswerTimes;
import io.gpusched.sim.replica.ReplicaWorld;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/// What a law attained on a trace, in the columns of the table of expected figures.
///
/// @param reports how often the load was reported
/// @param percent requests within both objectives
/// @param gpuHours paid for, from the decision that adds a replica until its last answer
public record PoolResult(
        String trace,
        int copies,
        int loadSeconds,
        Duration reports,
        Slo slo,
        String law,
        double percent,
        double gpuHours,
        Quantiles waits,
        Quantiles paces,
        int added,
        int removed) {
    public static final String COLUMNS =
            "trace,copies,load_s,slo_ttft_s,slo_itl_ms,controller,slo_attainment_pct,gpu_hours,"
                    + "ttft_p50_s,ttft_p95_s,ttft_p99_s,itl_p50_ms,itl_p95_ms,replicas_added,"
                    + "replicas_removed";

    /// Of a figure over all requests, in seconds.
    public record Quantiles(double p50, double p95, double p99) {}

    /// GPUs of one replica.
    static final int GPUS = 4;

    /// @param law with its label as in the table of expected figures
    static PoolResult of(PoolTrace trace, PoolCase around, ComparedLaw law, ReplicaWorld world) {
        AnswerTimes answers = world.answers();
        Slo slo = trace.slo();
        return new PoolResult(
                trace.label(),
                trace.copies(),
                (int) around.loadTime().toSeconds(),
                around.every(),
                slo,
                law.label(),
                answers.percentWithin(
                        slo.firstTokenMillis() / 1000.0, slo.interTokenMillis() / 1000.0),
                GPUS * world.replicaHours(),
                quantiles(trace.requests().stream().mapToDouble(answers::wait).toArray()),
                quantiles(trace.requests().stream().mapToDouble(answers::pace).toArray()),
                world.added() - LabPool.initial(law),
                world.removed());
    }

    private static Quantiles quantiles(double[] values) {
        Arrays.sort(values);
        int last = values.length - 1;
        return new Quantiles(
                values[(int) (0.5 * last)],
                values[(int) (0.95 * last)],
                values[(int) (0.99 * last)]);
    }

    /// The columns that tell which run this is.
    public String key() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%s,%d,%s",
                trace,
                copies,
                loadSeconds,
                Double.toString(slo.firstTokenMillis() / 1000.0).replaceFirst("[.]0$", ""),
                slo.interTokenMillis(),
                law);
    }

    /// A row of the table.
    public String row() {
        return key()
                + String.format(
                        Locale.ROOT,
                        ",%.2f,%.2f,%.2f,%.2f,%.2f,%.0f,%.0f,%d,%d",
                        percent,
                        gpuHours,
                        waits.p50(),
                        waits.p95(),
                        waits.p99(),
                        1000 * paces.p50(),
                        1000 * paces.p95(),
                        added,
                        removed);
    }
}
