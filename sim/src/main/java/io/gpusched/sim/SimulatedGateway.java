package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;
import java.util.ArrayList;

/// Reports the load of a pool as a gateway would: it spreads the sessions over the replicas that
/// run, and sends nothing to those that drain.
final class SimulatedGateway {
    private static final Duration OVER = Duration.ofSeconds(10);

    private SimulatedGateway() {}

    static Report.PoolLoad report(UserAction.ReportLoad action, ClusterState state) {
        PoolEntry entry = state.pools().find(action.pool());
        var replicas = new ArrayList<ReplicaLoad>();
        int left = action.sessions();
        if (entry != null) {
            for (ReplicaStatus status : entry.replicas()) {
                Job job = state.job(status.job());
                if (job != null && job.phase() instanceof Phase.Running) {
                    boolean ready = status.draining() == null;
                    int running = ready ? Math.min(2, left) : 0;
                    left -= running;
                    replicas.add(load(status, ready, running));
                }
            }
        }
        return new Report.PoolLoad(
                action.pool(),
                new PoolLoad(
                        "gateway",
                        action.at().toMillis(),
                        OVER,
                        action.sessions(),
                        0,
                        100L * action.sessions(),
                        50L * action.sessions(),
                        action.held(),
                        100L * action.held(),
                        action.sessions(),
                        100,
                        0,
                        0,
                        action.sessions(),
                        action.sessions(),
                        200,
                        replicas));
    }

    private static ReplicaLoad load(ReplicaStatus status, boolean ready, int running) {
        return new ReplicaLoad(
                status.job(), ready, running, 0, 0, 100 * running, 200, 20_000, 0, 50L * running);
    }
}
