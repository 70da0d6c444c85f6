package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Keeps the ports of pools apart: replicas of two pools may share a node, and requests for one
/// must never reach the other. A pool reserves a port for each of its `max` replicas. A replica
/// that started under other rules, or of a removed pool, keeps its port until it has ended.
final class PoolPorts {
    private static final int LAST_PORT = 65_535;

    /// The most ports of a tenant, so that no tenant can reserve all.
    private static final int MOST = 16_384;

    private final Pool pool;
    private final ClusterState state;
    private final Collection<Pool> others;

    private record Range(int first, int last, TenantId tenant, PoolId pool) {
        static Range of(Pool pool) {
            int first = pool.serving().port();
            return new Range(first, first + pool.max() - 1, pool.tenant(), pool.id());
        }

        Range from(int port) {
            return new Range(port, port + last - first, tenant, pool);
        }

        boolean overlaps(Range other) {
            return first <= other.last && other.first <= last;
        }
    }

    /// @param others the other pools that are not removed, as they will be
    PoolPorts(Pool pool, ClusterState state, Collection<Pool> others) {
        this.pool = pool;
        this.state = state;
        this.others = others;
    }

    /// What is wrong with the ports of the pool; null when nothing is.
    @Nullable Problem problem() {
        Range wanted = Range.of(pool);
        if (wanted.first() == 0) {
            return null;
        }
        if (wanted.last() > LAST_PORT) {
            return problem(
                    String.format(
                            Locale.ROOT,
                            "replicas would use the ports %d to %d, the last port is %d",
                            wanted.first(),
                            wanted.last(),
                            LAST_PORT),
                    "choose a lower port, or lower max_replicas");
        }
        Problem tooMany = tooMany();
        return tooMany == null ? taken(wanted) : tooMany;
    }

    private @Nullable Problem tooMany() {
        long sum = pool.max();
        for (Pool other : others) {
            boolean counts = other.serving().port() > 0 && other.tenant().equals(pool.tenant());
            sum += counts ? other.max() : 0;
        }
        return sum <= MOST
                ? null
                : problem(
                        String.format(
                                Locale.ROOT,
                                "the pools of tenant %s would reserve %d ports, one for each of"
                                        + " max_replicas; a tenant may have %d",
                                pool.tenant(),
                                sum,
                                MOST),
                        "lower max_replicas of pools with a port");
    }

    private @Nullable Problem taken(Range wanted) {
        List<Range> reserved = reserved();
        Range other = overlap(wanted, reserved);
        if (other == null) {
            return null;
        }
        boolean own = other.tenant().equals(pool.tenant());
        return problem(
                String.format(
                        Locale.ROOT,
                        "replicas would use the ports %d to %d, %s uses %d to %d",
                        wanted.first(),
                        wanted.last(),
                        own ? "pool " + other.pool() : "a pool of another tenant",
                        other.first(),
                        other.last()),
                nextFree(wanted, reserved));
    }

    private static @Nullable Range overlap(Range wanted, List<Range> reserved) {
        for (Range range : reserved) {
            if (range.overlaps(wanted)) {
                return range;
            }
        }
        return null;
    }

    private static String nextFree(Range wanted, List<Range> reserved) {
        Range next = wanted;
        for (Range other : reserved) {
            if (other.overlaps(next)) {
                next = next.from(other.last() + 1);
            }
        }
        return next.last() <= LAST_PORT
                ? "the next free port is " + next.first()
                : "choose a lower port, or lower max_replicas";
    }

    /// The ports of other pools, and those that their replicas have; the lowest first.
    private List<Range> reserved() {
        var reserved = new ArrayList<Range>();
        for (Pool other : others) {
            if (other.serving().port() > 0) {
                reserved.add(Range.of(other));
            }
        }
        for (PoolEntry entry : state.pools().all()) {
            if (!entry.id().equals(pool.id())) {
                for (ReplicaStatus status : entry.replicas()) {
                    Job job = state.job(status.job());
                    int port = job == null ? 0 : ReplicaSpecs.port(job.spec());
                    if (port > 0) {
                        reserved.add(new Range(port, port, entry.pool().tenant(), entry.id()));
                    }
                }
            }
        }
        reserved.sort(Comparator.comparingInt(Range::first));
        return reserved;
    }

    private static Problem problem(String message, String hint) {
        return new Problem(Problem.Code.INVALID, "serving.port", message, hint);
    }
}
