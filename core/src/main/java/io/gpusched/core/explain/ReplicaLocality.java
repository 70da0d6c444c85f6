package io.gpusched.core.explain;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.util.ArrayList;
import java.util.List;

/// Says in words how near the replicas of a pool are to their model and their data. Empty for a
/// pool that names neither.
public final class ReplicaLocality {
    private final ClusterState state;
    private final PoolEntry entry;
    private final LocalityRules rules;

    private ReplicaLocality(ClusterState state, PoolEntry entry) {
        this.state = state;
        this.entry = entry;
        this.rules = entry.pool().locality();
    }

    public static List<String> of(PoolEntry entry, ClusterState state) {
        return new ReplicaLocality(state, entry).sentences();
    }

    private List<String> sentences() {
        var all = new ArrayList<String>();
        String model = entry.choice().model();
        if (!model.isEmpty()) {
            all.add(copies(model));
        }
        if (model.isEmpty() && rules.near().isEmpty() && rules.apart().isEmpty()) {
            return all;
        }
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            Run run = job == null ? null : job.phase().run();
            NodeId at = run == null ? null : run.on().slots().getFirst().node();
            NodeView node = at == null ? null : state.nodes().find(at);
            if (job != null && node != null) {
                all.add(
                        "replica "
                                + status.number()
                                + (state.pools().isWarm(job) ? " (warm)" : "")
                                + " on "
                                + at
                                + ": "
                                + String.join(", ", facts(model, job, node)));
            }
        }
        return all;
    }

    private String copies(String model) {
        int held = 0;
        int loading = 0;
        int failed = 0;
        int wanted = 0;
        for (CachedModel each : state.models().nodes(model).values()) {
            held += each.state() == CacheState.CACHED ? 1 : 0;
            loading += each.state() == CacheState.LOADING ? 1 : 0;
            failed += each.state() == CacheState.FAILED ? 1 : 0;
            wanted += each.wanted() ? 1 : 0;
        }
        return "model "
                + model
                + " is cached on "
                + held
                + (loading > 0 ? ", loading on " + loading : "")
                + (failed > 0 ? ", failed on " + failed : "")
                + (rules.minCached() > 0 ? ", wanted on " + wanted : "")
                + (held + loading + failed + wanted == 1 ? " node" : " nodes");
    }

    private List<String> facts(String model, Job job, NodeView node) {
        Labels there = node.facts().labels();
        var facts = new ArrayList<String>();
        if (!model.isEmpty()) {
            boolean cached = state.models().holds(node.facts().id(), model);
            facts.add(cached ? "model cached" : "model not cached");
        }
        for (String store : rules.near()) {
            if (there.lists(DataLocality.HELD, store)) {
                facts.add(store + " is here");
            } else {
                boolean close = there.lists(DataLocality.NEARBY, store);
                facts.add(store + (close ? " is nearby" : " is elsewhere"));
            }
        }
        for (JobId id : node.jobs()) {
            Job other = state.job(id);
            if (other != null
                    && !id.equals(job.id())
                    && DataLocality.isNamed(job.spec().labels(), other.spec())) {
                facts.add("beside " + other.id() + ", from which it should be apart");
            }
        }
        return facts;
    }
}
