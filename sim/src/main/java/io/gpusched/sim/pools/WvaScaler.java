package io.gpusched.sim.pools;

import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.Scaler;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.TreeMap;

/// The saturation law of llm-d's variant autoscaler: one replica more a minute when the replicas
/// that are not saturated have little to spare, one less when the rest would still have enough.
/// Nothing changes while a replica is pending.
final class WvaScaler implements Scaler {
    private static final double KV = 0.8;
    private static final double QUEUE = 5;
    private static final double SPARE_KV = 0.1;
    private static final double SPARE_QUEUE = 3;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private record Seen(Instant at, JobId replica, double kv, double queue) {}

    private final ArrayDeque<Seen> seen = new ArrayDeque<>();
    private Instant decided = Instant.EPOCH;

    @Override
    public String name() {
        return "wva";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        Instant now = signals.now();
        for (ReplicaLoad load : signals.load().replicasSince(now.minusSeconds(5)).values()) {
            if (load.ready()) {
                seen.add(new Seen(now, load.replica(), load.kvPermille() / 1000.0, load.waiting()));
            }
        }
        seen.removeIf(each -> !each.at().isAfter(now.minus(MINUTE)));
        int size = signals.desired();
        if (now.isBefore(decided.plus(MINUTE)) || signals.starting() + signals.waiting() > 0) {
            return new Recommendation(size, "wva", "nothing is decided now");
        }
        decided = now;
        return new Recommendation(size + change(size), "wva", "peaks of the last minute");
    }

    private int change(int size) {
        var kv = new TreeMap<JobId, Double>();
        var queue = new TreeMap<JobId, Double>();
        for (Seen each : seen) {
            kv.merge(each.replica(), each.kv(), Math::max);
            queue.merge(each.replica(), each.queue(), Math::max);
        }
        int free = 0;
        double kvSum = 0;
        double queueSum = 0;
        for (var each : kv.entrySet()) {
            double waits = queue.getOrDefault(each.getKey(), 0.0);
            if (each.getValue() < KV && waits < QUEUE) {
                free++;
                kvSum += each.getValue();
                queueSum += waits;
            }
        }
        if (free == 0 || KV - kvSum / free < SPARE_KV || QUEUE - queueSum / free < SPARE_QUEUE) {
            return 1;
        }
        boolean enough =
                free > 1
                        && KV - kvSum / (free - 1) >= SPARE_KV
                        && QUEUE - queueSum / (free - 1) >= SPARE_QUEUE;
        return enough && size > 1 ? -1 : 0;
    }
}
