package io.gpusched.server.view;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Capacity that the ledger keeps for a waiting job, and how sure its time is.
///
/// @param planned on what its time rests as long as jobs end as planned
/// @param overdueFrom when the first job that must end before will have run longer than predicted
///     or assumed; null when limits ensure all ends
public record KeptCapacity(Claim claim, Basis planned, @Nullable Instant overdueFrom) {
    /// On what the time of a reservation rests, the surest first.
    public enum Basis {
        /// Every job that must end before has a time limit.
        LIMITS,
        /// Some job that must end before is predicted to end earlier than its limit, or has none.
        PREDICTIONS,
        /// Some job that must end before has neither a limit nor a prediction.
        ASSUMPTION,
        /// Some job that must end before runs longer than predicted or assumed.
        OVERDUE
    }

    /// The claims of all waiting jobs.
    static Map<JobId, KeptCapacity> all(ClusterState state) {
        List<Claim> claims = state.claims();
        var kept = new HashMap<JobId, KeptCapacity>();
        for (Claim claim : claims) {
            if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
                kept.put(of.job(), of(claim, claims, state));
            }
        }
        return Map.copyOf(kept);
    }

    public boolean isReservation() {
        return claim.kind() == Claim.Kind.RESERVATION;
    }

    /// On what its time rests at `now`.
    Basis basis(Instant now) {
        return overdueFrom == null || overdueFrom.isAfter(now) ? planned : Basis.OVERDUE;
    }

    /// Looks at the jobs that run on the nodes of the claim, or have an earlier reservation there.
    private static KeptCapacity of(Claim claim, List<Claim> claims, ClusterState state) {
        if (claim.kind() != Claim.Kind.RESERVATION) {
            return new KeptCapacity(claim, Basis.LIMITS, null);
        }
        var worst = Basis.LIMITS;
        Instant overdueFrom = null;
        var nodes = new HashSet<NodeId>();
        for (Slot slot : claim.slots()) {
            NodeView node = nodes.add(slot.node()) ? state.nodes().find(slot.node()) : null;
            if (node == null) {
                continue;
            }
            for (JobId id : node.jobs()) {
                Job job = state.job(id);
                if (job != null && endsBefore(claim, job, state)) {
                    worst = worse(worst, of(job.spec()));
                    overdueFrom = Instants.earlier(overdueFrom, overdueFrom(job, state));
                }
            }
        }
        for (Claim other : claims) {
            boolean earlier =
                    other.kind() == Claim.Kind.RESERVATION && other.from().isBefore(claim.from());
            if (earlier && other.claimHolder() instanceof ClaimHolder.OfJob of) {
                Job job = state.job(of.job());
                worst = job != null && isOn(other, nodes) ? worse(worst, of(job.spec())) : worst;
            }
        }
        return new KeptCapacity(claim, worst, overdueFrom);
    }

    private static boolean endsBefore(Claim claim, Job job, ClusterState state) {
        return job.phase().run() != null && !state.runs().expectedEnd(job).isAfter(claim.from());
    }

    private static boolean isOn(Claim claim, Set<NodeId> nodes) {
        for (Slot slot : claim.slots()) {
            if (nodes.contains(slot.node())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Instant overdueFrom(Job job, ClusterState state) {
        Instant started = job.phase().startedAt();
        return started == null || of(job.spec()) == Basis.LIMITS
                ? null
                : started.plus(job.spec().planned(state.runs().assumedRuntime()));
    }

    private static Basis of(JobSpec spec) {
        if (!spec.runtimeExpectation().isKnown()) {
            return spec.limit().isZero() ? Basis.ASSUMPTION : Basis.LIMITS;
        }
        return spec.planned(Duration.ZERO).equals(spec.limit()) ? Basis.LIMITS : Basis.PREDICTIONS;
    }

    private static Basis worse(Basis one, Basis other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
