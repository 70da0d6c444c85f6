package io.gpusched.server.metrics;

import io.gpusched.core.learn.ExplorationCounts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// What is asked of the scoring service and told to it. Names in labels come from requests, so only
/// the first so many get a label of their own; the others share one.
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
                        "Time to work out one score, in seconds.",
                        BUCKETS);
    }

    /// Shows how much was explored, and how uncertain means are on average.
    public void show(Supplier<ExplorationCounts> tally, DoubleSupplier uncertainty) {
        gauge(
                "scheduler_exploration_ratio",
                "The part of choices made to learn something.",
                () -> tally.get().ratio());
        gauge(
                "scheduler_avg_uncertainty",
                "Seconds by which means may be off, on average over known pairs.",
                uncertainty);
        gauge(
                "scheduler_regret_estimate",
                "How much more is explored than is usual.",
                () -> Math.max(0, tally.get().ratio() - USUAL_RATIO));
    }

    /// A choice was made, in so many seconds.
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
                .description("Choices of a kind of GPU.")
                .tag("gpu_type", gpuType)
                .tag("decision_type", type)
                .register(meters.registry());
    }

    /// A run was told of.
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
                .description("Runs that were told of.")
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
