package io.gpusched.core.engine;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Explains one job thoroughly: asks every rule about every node, which deciding never does.
final class Explaining {
    private final ClusterState state;
    private final Policy policy;
    private final Search search;
    private final Duration assumed;
    private final Instant now;

    Explaining(ClusterState state, Policy policy, Search search, Duration assumed, Instant now) {
        this.state = state;
        this.policy = policy;
        this.search = search;
        this.assumed = assumed;
        this.now = now;
    }

    Explanation explain(JobId id) {
        Job job = state.job(id);
        if (job == null) {
            return new Explanation(id, "the job is not known", List.of(), List.of(), null);
        }
        return switch (job.phase()) {
            case Phase.Held held -> plain(job, "held: " + held.why() + "; release it to go on");
            case Phase.Waiting waiting -> waiting(job, waiting);
            case Phase.Starting starting -> plain(job, "starting on " + starting.run().on());
            case Phase.Running running -> plain(job, "running on " + running.run().on());
            case Phase.Stopping stopping -> plain(job, "stopping: " + stopping.cause().detail());
            case Phase.Ended ended -> plain(job, "ended: " + ended.outcome().reason());
        };
    }

    private static Explanation plain(Job job, String summary) {
        return new Explanation(job.id(), summary, List.of(), List.of(), null);
    }

    private Explanation waiting(Job job, Phase.Waiting waiting) {
        if (waiting.notBefore() != null && waiting.notBefore().isAfter(now)) {
            return plain(job, "not tried before " + waiting.notBefore());
        }
        for (Gate gate : policy.gates()) {
            Refusal refusal = gate.refuse(job, state, now);
            if (refusal != null) {
                return new Explanation(
                        job.id(), refusal.why(), List.of(new Reason(refusal, 0)), List.of(), null);
            }
        }
        Duration limit = job.spec().limit().isZero() ? assumed : job.spec().limit();
        var claims = new Claims(state, event -> {}, now);
        state.lookAs(job.id(), now.plus(limit), claims.isAheadOfReservation(job));
        try {
            return capacity(job);
        } finally {
            state.lookAsAnybody();
        }
    }

    private Explanation capacity(Job job) {
        Claim own = ownClaim(job.id());
        Instant reserved = own != null && own.kind() == Claim.Kind.RESERVATION ? own.from() : null;
        Placing.Found found = new Placing(state, search).find(job);
        if (found != null) {
            return new Explanation(
                    job.id(),
                    "it would start now, it waits its turn",
                    List.of(),
                    found.terms(),
                    reserved);
        }
        List<Reason> reasons = nodeReasons(job);
        Refusal tooSpread = new Placing(state, search).tooSpread(job);
        if (tooSpread != null) {
            reasons.addFirst(new Reason(tooSpread, state.nodes().size()));
        }
        return new Explanation(job.id(), summary(job, reasons, own), reasons, List.of(), reserved);
    }

    private @Nullable Claim ownClaim(JobId job) {
        for (Claim claim : state.claims()) {
            if (claim.isFor(job)) {
                return claim;
            }
        }
        return null;
    }

    private String summary(Job job, List<Reason> reasons, @Nullable Claim own) {
        if (own != null && own.kind() == Claim.Kind.ROOM) {
            return "room is being made on " + own.slots().getFirst().node() + " by stopping others";
        }
        if (state.nodes().isEmpty()) {
            return "no nodes have joined; start an agent";
        }
        String most =
                reasons.isEmpty()
                        ? "no place for all tasks at once"
                        : reasons.getFirst().refusal().why();
        String tasks = job.spec().tasks() == 1 ? "" : job.spec().tasks() + " tasks at once, ";
        return "waits for " + tasks + gpus(job) + ": " + most;
    }

    private static String gpus(Job job) {
        return job.spec().milliGpus() / 1000 + " GPUs";
    }

    private List<Reason> nodeReasons(Job job) {
        Map<Refusal, Integer> counted = new LinkedHashMap<>();
        for (Role role : job.spec().roles()) {
            for (NodeView node : state.nodes()) {
                Refusal refusal = refusal(role.shape(), node);
                if (refusal != null) {
                    counted.merge(refusal, 1, Integer::sum);
                }
            }
        }
        var reasons = new ArrayList<Reason>();
        counted.forEach((refusal, nodes) -> reasons.add(new Reason(refusal, nodes)));
        reasons.sort((a, b) -> Integer.compare(b.nodes(), a.nodes()));
        return reasons;
    }

    private @Nullable Refusal refusal(Shape shape, NodeView node) {
        for (Filter filter : policy.filters()) {
            Refusal refusal = Search.refusal(filter, shape, node);
            if (refusal != null) {
                return refusal;
            }
        }
        if (policy.fitter().fit(shape, node, state) != null) {
            return null;
        }
        int free = Long.bitCount(node.freeGpus());
        if (Long.bitCount(node.idleGpus()) >= shape.gpus().devices()) {
            return Refusal.untilCapacity("promised", "free GPUs are promised to other jobs");
        }
        return Refusal.untilCapacity(
                "free-gpus", free + " free GPUs, a task asks for " + shape.gpus().devices());
    }
}
