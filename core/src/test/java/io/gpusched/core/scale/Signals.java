package io.gpusched.core.scale;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What a law is told, in which only what a test cares about needs to be said.
final class Signals {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final String law;
    private final LoadHistory history = new LoadHistory();
    private int min = 1;
    private int max = 40;
    private Slo slo = new Slo(1_000, 75, 0, 990);
    private List<MetricTarget> targets = List.of();
    private long replicaTokensPerSecond;
    private @Nullable QueueRule queue;
    private int desired = 1;
    private int ready = 1;
    private int starting;
    private Duration loadTime = Duration.ofSeconds(60);
    private Instant now = START;
    private @Nullable ComingCapacity coming;
    private int roomCounted;

    private Signals(String law) {
        this.law = law;
    }

    static Signals of(String law) {
        return new Signals(law);
    }

    /// The same law and rules, before any load.
    Signals again() {
        Signals again =
                of(law).slo(slo).between(min, max).targets(targets.toArray(MetricTarget[]::new));
        again.replicaTokensPerSecond = replicaTokensPerSecond;
        again.queue = queue;
        return again;
    }

    @Override
    public String toString() {
        return law;
    }

    static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    Signals between(int fewest, int most) {
        min = fewest;
        max = most;
        return this;
    }

    Signals slo(Slo objectives) {
        slo = objectives;
        return this;
    }

    Signals targets(MetricTarget... all) {
        targets = List.of(all);
        return this;
    }

    Signals replicaTokensPerSecond(long tokens) {
        replicaTokensPerSecond = tokens;
        return this;
    }

    Signals queue(QueueRule rule) {
        queue = rule;
        return this;
    }

    /// So many replicas are ready, and no other exists.
    Signals ready(int replicas) {
        return replicas(replicas, replicas, 0);
    }

    Signals replicas(int decided, int serving, int loading) {
        desired = decided;
        ready = serving;
        starting = loading;
        return this;
    }

    Signals load(long second, PoolLoad load) {
        history.add(at(second), load);
        return now(second);
    }

    Signals now(long second) {
        now = at(second);
        return this;
    }

    LoadHistory history() {
        return history;
    }

    Pool pool() {
        ScalingRules usual = ScalingRules.of(law);
        return new Pool(
                new PoolId("chat"),
                "llama",
                JobBuilder.aJob().spec(),
                min,
                max,
                0,
                slo,
                new ScalingRules(
                        law,
                        targets,
                        replicaTokensPerSecond,
                        queue,
                        List.of(),
                        usual.up(),
                        usual.down(),
                        usual.cooldown(),
                        usual.every(),
                        usual.staleAfter()),
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                ServingRules.NONE);
    }

    Recommendation recommend() {
        return Objects.requireNonNull(Scalers.named(law))
                .recommend(
                        new PoolSignals(
                                now,
                                pool(),
                                desired,
                                ready,
                                starting,
                                0,
                                loadTime,
                                this::capacity,
                                history));
    }

    private ComingCapacity capacity(int missing) {
        roomCounted++;
        return coming == null ? ComingCapacity.now(missing, 100) : coming;
    }

    /// No replica can be placed before the second at which job-12 ends.
    Signals noPlaceBefore(long second) {
        coming =
                new ComingCapacity(
                        1,
                        0,
                        false,
                        List.of(new ComingCapacity.LaterPlace(at(second), new JobId(12))));
        return this;
    }

    /// How often a law asked for room.
    int roomCounted() {
        return roomCounted;
    }
}
