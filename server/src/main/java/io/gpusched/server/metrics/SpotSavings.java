package io.gpusched.server.metrics;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the replicas of each pool would have cost more on demand than they do on spot capacity,
/// since this server started. On demand means the cheapest price that is not of a spot market.
final class SpotSavings {
    private static final double MICROS_PER_DOLLAR = 1e6;
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final double MILLIS = 1e-3;

    private final SortedMap<PoolId, Double> dollars = new TreeMap<>();
    private SortedMap<PoolId, Double> perSecond = new TreeMap<>();
    private @Nullable Instant until;

    /// Adds the time since the last call at the rates of then, and notes those of now.
    synchronized void follow(Engine engine, Instant now) {
        add(now);
        perSecond = rates(engine.state());
    }

    /// The savings until now.
    synchronized SortedMap<PoolId, Double> at(Instant now) {
        add(now);
        return new TreeMap<>(dollars);
    }

    private void add(Instant now) {
        Instant since = until == null ? now : until;
        if (until != null && now.isBefore(since)) {
            return;
        }
        double seconds = Duration.between(since, now).toMillis() * MILLIS;
        perSecond.forEach((pool, rate) -> dollars.merge(pool, rate * seconds, Double::sum));
        until = now;
    }

    private static SortedMap<PoolId, Double> rates(ClusterState state) {
        var rates = new TreeMap<PoolId, Double>();
        Market onDemand = cheapestOnDemand(state);
        if (onDemand == null) {
            return rates;
        }
        for (PoolEntry entry : state.pools().all()) {
            long micros = 0;
            for (ReplicaStatus status : entry.replicas()) {
                micros += savedPerHour(state.job(status.job()), onDemand, state);
            }
            if (micros > 0) {
                rates.put(entry.id(), micros / MICROS_PER_DOLLAR / SECONDS_PER_HOUR);
            }
        }
        return rates;
    }

    private static @Nullable Market cheapestOnDemand(ClusterState state) {
        for (Market market : state.nodePrices().cheapestFirst()) {
            if (!market.spot()) {
                return market;
            }
        }
        return null;
    }

    private static long savedPerHour(@Nullable Job job, Market onDemand, ClusterState state) {
        Run run = job == null ? null : job.phase().run();
        long micros = 0;
        if (run != null) {
            for (Slot slot : run.on().slots()) {
                NodeView node = state.nodes().find(slot.node());
                Market market = node == null ? null : state.nodePrices().of(node.facts().labels());
                if (market != null && market.spot()) {
                    long less = onDemand.microDollarsPerGpuHour() - market.microDollarsPerGpuHour();
                    micros += Math.max(0, less) * Long.bitCount(slot.grant().mask());
                }
            }
        }
        return micros;
    }
}
