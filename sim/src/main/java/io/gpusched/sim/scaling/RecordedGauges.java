package io.gpusched.sim.scaling;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.sim.pools.PoolCase;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Sessions, tool calls, context lengths and depths of queues, as they were recorded. They are
/// taken to be the same whatever the size of the pool. It serves one run.
final class RecordedGauges implements PoolCase.Gauges {
    private final List<LoadHistory.Sample> reports;
    private final Map<String, PoolLoad> newest = new TreeMap<>();
    private int next;

    RecordedGauges(List<LoadHistory.Sample> reports) {
        this.reports = reports;
    }

    @Override
    public PoolLoad with(PoolLoad load, Instant at) {
        int toolCalls = 0;
        while (next < reports.size() && !reports.get(next).at().isAfter(at)) {
            PoolLoad recorded = reports.get(next++).load();
            newest.put(recorded.source(), recorded);
            toolCalls += recorded.toolCalls();
        }
        return new PoolLoad(
                load.source(),
                load.sequence(),
                load.over(),
                load.arrivals(),
                load.rejected(),
                load.promptTokens(),
                load.outputTokens(),
                load.held(),
                load.heldTokens(),
                newest.values().stream().mapToInt(PoolLoad::sessions).sum(),
                newest.values().stream().mapToLong(PoolLoad::contextTokens).max().orElse(0),
                toolCalls,
                newest.values().stream().mapToLong(PoolLoad::queueDepth).sum(),
                load.answered(),
                load.withinSlo(),
                load.firstTokenP95Millis(),
                load.replicas());
    }
}
