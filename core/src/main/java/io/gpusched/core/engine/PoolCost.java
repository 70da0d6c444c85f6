package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

/// What the replicas of a pool cost, by the prices of the nodes that they run on. Capacity without
/// a price costs nothing.
public final class PoolCost {
    private final ClusterState state;

    public PoolCost(ClusterState state) {
        this.state = state;
    }

    /// Millionths of a dollar per hour for all replicas that hold capacity.
    public long microDollarsPerHour(PoolEntry entry) {
        long sum = 0;
        for (ReplicaStatus status : entry.replicas()) {
            sum += of(status);
        }
        return sum;
    }

    /// What one more replica is expected to cost: the mean of those that run, else the cheapest
    /// price that is known.
    long expected(PoolEntry entry) {
        long sum = 0;
        int priced = 0;
        for (ReplicaStatus status : entry.replicas()) {
            long cost = of(status);
            sum += cost;
            priced += cost > 0 ? 1 : 0;
        }
        if (priced > 0) {
            return sum / priced;
        }
        var markets = state.nodePrices().cheapestFirst();
        return markets.isEmpty()
                ? 0
                : markets.getFirst().microDollarsPerGpuHour()
                        * entry.pool().replica().milliGpus()
                        / 1000;
    }

    /// What one replica costs; 0 when it holds no capacity.
    public long of(ReplicaStatus status) {
        Job job = state.job(status.job());
        Run run = job == null ? null : job.phase().run();
        long sum = 0;
        if (run != null) {
            for (Slot slot : run.on().slots()) {
                NodeView node = state.nodes().find(slot.node());
                Market market = node == null ? null : state.nodePrices().of(node.facts().labels());
                sum +=
                        market == null
                                ? 0
                                : market.microDollarsPerGpuHour()
                                        * Long.bitCount(slot.grant().mask());
            }
        }
        return sum;
    }
}
