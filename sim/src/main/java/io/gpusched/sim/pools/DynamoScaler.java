package io.gpusched.sim.pools;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.replica.IterationCost;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The law of NVIDIA's Dynamo planner: every three minutes a floor from the request rate and the
/// rate that one replica serves at the objectives by its profile; every five seconds one more when
/// all replicas are above the objectives, one less when they would stay below 80 % of them.
final class DynamoScaler implements Scaler {
    private static final Duration FLOOR_EVERY = Duration.ofMinutes(3);
    private static final double SLACK = 0.8;

    private final boolean byLoad;
    private final IterationCost cost;
    private int floor;
    private Instant decided = Instant.EPOCH;

    /// @param byLoad whether the fast loop is used as well
    DynamoScaler(boolean byLoad, IterationCost cost) {
        this.byLoad = byLoad;
        this.cost = cost;
    }

    @Override
    public String name() {
        return byLoad ? "dynamo" : "dynamo-floor";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        Instant now = signals.now();
        if (!now.isBefore(decided.plus(FLOOR_EVERY))) {
            LoadInterval sum = signals.load().sum(now, FLOOR_EVERY);
            boolean first = floor == 0;
            decided = now;
            floor = first ? signals.desired() : floor(sum, signals.pool().slo());
        }
        if (!byLoad) {
            return new Recommendation(floor, "floor", "by the rate of requests");
        }
        int size = Math.max(signals.desired(), floor);
        if (signals.starting() + signals.waiting() == 0) {
            size += change(signals);
        }
        return new Recommendation(Math.max(size, floor), "load", "floor " + floor);
    }

    private int floor(LoadInterval sum, Slo slo) {
        double requests = sum.of(LoadCount.ARRIVALS);
        if (requests == 0) {
            return 1;
        }
        double rate = requests / FLOOR_EVERY.toSeconds();
        double prompt = sum.of(LoadCount.PROMPT_TOKENS) / requests;
        double output =
                (double) sum.of(LoadCount.OUTPUT_TOKENS) / Math.max(1, sum.of(LoadCount.ANSWERED));
        double each =
                output * (cost.running() + cost.kv() * (prompt + output / 2))
                        + cost.prompt() * prompt;
        double capacity = 1000 * (1 - cost.fixed() / slo.interTokenMillis()) / each;
        return (int) Math.max(1, Math.ceil(rate / capacity));
    }

    private int change(PoolSignals signals) {
        List<ReplicaLoad> ready =
                signals.load().replicasSince(signals.now().minusSeconds(5)).values().stream()
                        .filter(ReplicaLoad::ready)
                        .toList();
        Slo slo = signals.pool().slo();
        if (ready.isEmpty()) {
            return 0;
        }
        if (ready.stream().allMatch(each -> isAbove(each, slo, 1))) {
            return 1;
        }
        double more = (double) ready.size() / Math.max(1, ready.size() - 1);
        boolean below =
                ready.size() > 1
                        && ready.stream().noneMatch(each -> isAbove(each, slo, more / SLACK));
        return below ? -1 : 0;
    }

    private boolean isAbove(ReplicaLoad load, Slo slo, double factor) {
        double queue = load.waitingTokens() * cost.prompt();
        return factor * load.interTokenMicros() / 1000.0 > slo.interTokenMillis()
                || factor * (queue + load.firstTokenMillis()) > slo.firstTokenMillis();
    }
}
