package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

/// Why a pool may start no replica now although nodes may have capacity: the limits that the
/// submission of any job meets, and the ports of the pool.
final class StartLimits {
    private static final int LAST_PORT = 65_535;

    private final ClusterState state;
    private final EngineSettings settings;

    StartLimits(ClusterState state, EngineSettings settings) {
        this.state = state;
        this.settings = settings;
    }

    /// Null when one more replica may be submitted.
    @Nullable String whyNot(PoolEntry entry) {
        Pool pool = entry.pool();
        int number = freeNumber(entry, 0);
        if (number < 0) {
            return "replicas that have not ended yet use all " + pool.max() + " ports of the pool";
        }
        return whyNot(ReplicaSpecs.of(pool, number, entry.choice().model(), false));
    }

    /// Null when a replica of this specification may be submitted.
    @Nullable String whyNot(JobSpec spec) {
        Tenant tenant = state.tenants().find(spec.tenant());
        if (tenant == null || !tenant.active()) {
            return "tenant " + spec.tenant() + " is not active";
        }
        if (state.waitingJobs() >= settings.maxWaiting()) {
            return "the queue is full (" + settings.maxWaiting() + " jobs)";
        }
        Problem problem = PayloadCheck.problem(spec, state, settings.payloads());
        return problem == null ? null : problem.message();
    }

    /// As [#freeNumber], with a port that no replica has. An update of the replicas may use the
    /// port after the last one, unless another pool has it. Where replicas are missing and no such
    /// port is left, one that an earlier replica has is better than none: it may be on another
    /// node.
    int nextNumber(PoolEntry entry, int least) {
        int number = freeNumber(entry, least);
        Pool pool = entry.pool();
        int withPort = number;
        while (withPort >= 0 && entry.isEarlierPort(pool.serving().port() + withPort)) {
            withPort = freeNumber(entry, withPort + 1);
        }
        if (withPort >= 0) {
            return withPort;
        }
        boolean missing = state.pools().counts(entry).active() < entry.desired();
        boolean surges =
                entry.replica(pool.max()) == null
                        && (number >= 0 || !missing)
                        && pool.serving().rolling()
                        && isFree(pool.serving().port() + pool.max());
        return surges ? pool.max() : missing ? number : -1;
    }

    /// Whether no pool reserves the port, and no replica that started under other rules has it.
    private boolean isFree(int port) {
        for (PoolEntry other : state.pools().all()) {
            int first = other.pool().serving().port();
            boolean reserved =
                    first > 0
                            && port >= first
                            && (port - first < other.pool().max()
                                    || other.replica(port - first) != null);
            if (reserved || other.isEarlierPort(port)) {
                return false;
            }
        }
        return port <= LAST_PORT;
    }

    /// The first number from `least` on that no replica has. With a port it stays below `max`,
    /// since the ports beyond may be those of another pool.
    ///
    /// @return negative when there is none
    private static int freeNumber(PoolEntry entry, int least) {
        Pool pool = entry.pool();
        int number = least;
        while (entry.replica(number) != null) {
            number++;
        }
        return pool.serving().port() > 0 && number >= pool.max() ? -1 : number;
    }
}
