package io.gpusched.server.metrics;

import io.gpusched.core.learn.ExplorationCounts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// Metrics of the scoring service. Names in labels come from requests, so only a limited number get
/// a label of their own; the others share one.
public final class ScoreMeters {
    static final int MOST_GPU_TYPES = 64;
    static final int MOST_PAIRS = 256;

    private static final String OTHER = "other";
    private static final double USUAL_RATIO = 0.1;
    private static final double[] BUCKETS = {
        .005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10
    };

    private record Decisions(Counter exploration, Counter exploitation) {}

    private record Pair(String kind, String gpuType) {}

    private final Meters meters;
    private final ConcurrentHashMap<String, Decisions> decisions = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Pair, Counter> observed = new ConcurrentHashMap<>();
    private final Histogram durations;

    public ScoreMeters(Meters meters) {
        this.meters = meters;
        durations =
                meters.histogram(
                        "scheduler_scoring_duration_seconds",
                        "Time to compute one score, in seconds.",
                        BUCKETS);
    }

    /// Adds gauges of the share of explorations and of the mean uncertainty.
    public void show(Supplier<ExplorationCounts> tally, DoubleSupplier uncertainty) {
        gauge(
                "scheduler_exploration_ratio",
                "Share of choices that were explorations.",
                () -> tally.get().ratio());
        gauge(
                "scheduler_avg_uncertainty",
                "Mean uncertainty of the predicted run times, in seconds.",
                uncertainty);
        gauge(
                "scheduler_regret_estimate",
                "Factor by which exploration exceeds its usual amount.",
                () -> Math.max(0, tally.get().ratio() - USUAL_RATIO));
    }

    /// Counts a choice and its time in seconds.
    public void decided(String gpuType, boolean explores, double seconds) {
        Decisions counters = decisions.get(gpuType);
        if (counters == null) {
            String label = decisions.size() < MOST_GPU_TYPES ? gpuType : OTHER;
            counters = decisions.computeIfAbsent(label, this::decisions);
        }
        (explores ? counters.exploration : counters.exploitation).increment();
        durations.observe(seconds);
    }

    private Decisions decisions(String gpuType) {
        return new Decisions(decisions(gpuType, "exploration"), decisions(gpuType, "exploitation"));
    }

    private Counter decisions(String gpuType, String type) {
        return Counter.builder("scheduler_decisions")
                .description("Choices by kind of GPU.")
                .tag("gpu_type", gpuType)
                .tag("decision_type", type)
                .register(meters.registry());
    }

    /// Counts an observed run.
    public void observed(String kind, String gpuType) {
        var pair = new Pair(kind, gpuType);
        Counter counter = observed.get(pair);
        if (counter == null) {
            var label = observed.size() < MOST_PAIRS ? pair : new Pair(OTHER, OTHER);
            counter = observed.computeIfAbsent(label, this::observations);
        }
        counter.increment();
    }

    private Counter observations(Pair pair) {
        return Counter.builder("scheduler_observe_events")
                .description("Observed runs.")
                .tag("job_type", pair.kind)
                .tag("gpu_type", pair.gpuType)
                .register(meters.registry());
    }

    private void gauge(String name, String description, DoubleSupplier figure) {
        Gauge.builder(name, figure::getAsDouble)
                .description(description)
                .register(meters.registry());
    }
}
