package io.gpusched.server.view;

import io.gpusched.core.engine.PoolCost;
import io.gpusched.core.engine.RollingUpdate;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.core.state.SizeDecision;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A pool in a view.
///
/// @param removed whether it is forgotten when its last replica has ended
/// @param hold the size at which it is held; null when the rules decide
/// @param decided the last change of its size; null before the first one
/// @param recommended what its law recommended last; null before the first time
/// @param failures replicas that ended by themselves since one served for a while
/// @param startAfter no replica is started before; null when one may be
/// @param growAfter the pool does not grow before, because it found no capacity; null when it may
/// @param recent the last changes of its size, the oldest first
/// @param activations how many warm replicas began to serve because the load needed more
/// @param waitingSince when the oldest replica that waits was submitted; null when none waits
/// @param update how many replicas are like the pool's template
public record PoolRow(
        Pool pool,
        boolean removed,
        @Nullable Integer hold,
        String holdReason,
        int desired,
        @Nullable SizeDecision decided,
        @Nullable SizeDecision recommended,
        int failures,
        @Nullable Instant startAfter,
        String failure,
        @Nullable Instant growAfter,
        String lapse,
        PoolCounts counts,
        List<ReplicaRow> replicas,
        List<SizeDecision> recent,
        PoolFigures figures,
        double costPerHour,
        long activations,
        @Nullable Instant waitingSince,
        Update update) {
    private static final String STATIC = "static";
    private static final double MICRO = 1e-6;

    static PoolRow of(PoolEntry entry, ClusterState state, Instant at) {
        Pool pool = entry.pool();
        Map<JobId, ReplicaLoad> loads =
                entry.load().replicasSince(at.minus(pool.scaling().staleAfter()));
        var replicas = new ArrayList<ReplicaRow>();
        Instant waitingSince = null;
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            if (job == null) {
                continue;
            }
            ReplicaRow row = replica(status, job, loads.get(status.job()), state);
            replicas.add(row);
            if (row.state() == ReplicaStatus.State.WAITING
                    && (waitingSince == null || job.submitted().isBefore(waitingSince))) {
                waitingSince = job.submitted();
            }
        }
        return new PoolRow(
                pool,
                entry.removed(),
                entry.hold(),
                entry.holdReason(),
                entry.desired(),
                entry.decided(),
                entry.recommended(),
                entry.failures(),
                entry.startAfter(),
                entry.failure(),
                entry.growAfter(),
                entry.lapse(),
                state.pools().counts(entry),
                List.copyOf(replicas),
                entry.recent(),
                PoolFigures.of(entry.load(), at, pool.scaling().staleAfter()),
                new PoolCost(state).microDollarsPerHour(entry) * MICRO,
                entry.activations(),
                waitingSince,
                Update.of(new RollingUpdate(state, entry, at)));
    }

    /// A rolling update of the replicas.
    ///
    /// @param done replicas that are like the template and ready
    /// @param stopped whether it goes no further because replicas end by themselves
    /// @param words how it goes; empty when every replica is like the template
    public record Update(int done, boolean stopped, String words) {
        private static Update of(RollingUpdate update) {
            return new Update(update.done(), update.isStopped(), update.words(true));
        }
    }

    private static ReplicaRow replica(
            ReplicaStatus status, Job job, @Nullable ReplicaLoad load, ClusterState state) {
        Run run = job.phase().run();
        Slot first = run == null ? null : run.on().slots().getFirst();
        NodeId node = first == null ? null : first.node();
        return new ReplicaRow(
                status.number(),
                status.job(),
                status.state(job),
                node,
                status.ready(),
                load,
                node != null && isSpot(state.nodes().find(node), state),
                state.pools().isWarm(job),
                node != null && holdsModel(job, node, state));
    }

    private static boolean holdsModel(Job job, NodeId node, ClusterState state) {
        return state.models().holds(node, job.spec().labels().value(ModelSpec.LABEL));
    }

    private static boolean isSpot(@Nullable NodeView node, ClusterState state) {
        Market market = node == null ? null : state.nodePrices().of(node.facts().labels());
        return market != null && market.spot();
    }

    /// The figures of its load; none where nobody has reported for a while.
    public PoolFigures figuresAt(Instant now) {
        Instant newest = figures.newest();
        return newest == null || newest.plus(pool.scaling().staleAfter()).isBefore(now)
                ? figures.outdated()
                : figures;
    }

    /// Whether its law needs reports of load and there is no fresh one although replicas serve.
    public boolean isStale(Instant now) {
        Instant newest = figures.newest();
        return !pool.scaling().law().equals(STATIC)
                && counts.ready() > 0
                && (newest == null || newest.plus(pool.scaling().staleAfter()).isBefore(now));
    }

    /// Whether its replicas end by themselves, so that they are started only from time to time.
    public boolean isCrashing() {
        return failures > 0 && startAfter != null;
    }

    public PoolPhase phase(Instant now) {
        if (removed || desired == 0 && replicas.isEmpty()) {
            return PoolPhase.STOPPED;
        }
        if (isCrashing() || growAfter != null || isStale(now)) {
            return PoolPhase.DEGRADED;
        }
        boolean settled = counts.ready() == desired && counts.draining() == 0;
        return settled && counts.active() == desired ? PoolPhase.READY : PoolPhase.SCALING;
    }
}
