package io.gpusched.core.explain;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.PoolDecision;
import io.gpusched.core.engine.PoolSizing;
import io.gpusched.core.model.Job;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Explains the size of a pool: it decides again, as the engine would now, and keeps the steps.
public final class PoolExplainer {
    private final Engine engine;
    private final Instant now;

    public PoolExplainer(Engine engine, Instant now) {
        this.engine = engine;
        this.now = now;
    }

    /// Null when there is no such pool.
    public @Nullable PoolExplanation explain(PoolId id) {
        PoolEntry entry = engine.state().pools().find(id);
        if (entry == null) {
            return null;
        }
        PoolSizing sizing = PoolSizing.of(engine, now);
        PoolDecision decision = sizing.decide(entry);
        return new PoolExplanation(
                id,
                entry.desired(),
                decision.desired(),
                decision.rule(),
                decision.reason(),
                decision.steps(),
                decision.whyNotMore(),
                sizing.capacity(entry, decision),
                waiting(entry),
                entry.recent());
    }

    private List<Explanation> waiting(PoolEntry entry) {
        var all = new ArrayList<Explanation>();
        for (ReplicaStatus status : entry.replicas()) {
            Job job = engine.state().job(status.job());
            if (job != null && job.waiting()) {
                all.add(new Explainer(engine, now).explain(job.id()));
            }
        }
        return all;
    }
}
