package io.gpusched.core.explain;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.model.Job;
import io.gpusched.core.place.CapacityTimeline;
import io.gpusched.core.place.Claims;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;
import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.gate.StartWindow;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/// Tries a job as a cycle would try it now, and changes nothing. It uses the same gates, nodes and
/// preemptor as a real turn. The job need not be in the ledger.
final class Hypothesis {
    final ClusterState state;
    final Policy policy;
    final NodeSearch nodeSearch;
    final Placer placer;
    final Instant now;
    private final Duration assumed;

    /// The number of searches for a placement so far.
    int tries;

    Hypothesis(Engine engine, Instant now) {
        this.state = engine.state();
        this.policy = engine.policy();
        this.nodeSearch = engine.nodeSearch();
        this.placer = new Placer(state, nodeSearch);
        this.assumed = engine.settings().assumedRuntime();
        this.now = now;
    }

    /// The refusal of a gate, whatever the state of the nodes; null if no gate refuses the job.
    @Nullable Refusal gate(Job job) {
        return gate(job, state);
    }

    /// The same for a changed view of the cluster.
    @Nullable Refusal gate(Job job, ClusterView cluster) {
        Refusal refusal = ownGate(job, cluster);
        refusal = refusal != null ? refusal : behindOthers(job);
        return refusal != null ? refusal : StartWindow.refuse(state.openStarts());
    }

    private @Nullable Refusal ownGate(Job job, ClusterView cluster) {
        for (Gate gate : policy.gates()) {
            Refusal refusal = gate.refuse(job, cluster, now);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /// Under a strict policy every job but the first waits for the jobs before it.
    private @Nullable Refusal behindOthers(Job job) {
        if (policy.backfill() != Backfill.STRICT) {
            return null;
        }
        var waiting = new ArrayList<Job>();
        state.jobs().forEachWaiting(waiting::add);
        Job first = null;
        for (Job other : waiting) {
            if (!other.id().equals(job.id())
                    && state.precedes(other, first == null ? job : first)) {
                first = other;
            }
        }
        return first == null || ownGate(first, state) != null
                ? null
                : Refusal.untilCapacity(
                        "line", "another job is before it, and this policy lets no job overtake");
    }

    /// The placement that the job would get if no gate refused it; null if there is none.
    Placer.@Nullable Found place(Job job) {
        tries++;
        return placer.find(job, view(job));
    }

    /// The placement that the job would get now; null if a gate refuses it or there is none.
    Placer.@Nullable Found start(Job job) {
        return gate(job) == null ? place(job) : null;
    }

    /// The jobs that would be preempted for the job, and where it would start; null when none.
    PreemptionTrial.@Nullable Leaving room(Job job) {
        tries++;
        return PreemptionTrial.find(job, view(job), policy.preemptor(), placer, now);
    }

    /// The lowest base priority of a job for which the running job would be preempted.
    long leavesFor(Job running) {
        return policy.preemptor().leavesFor(running, now);
    }

    /// Why no part of the fleet of the level that the job requires or prefers has capacity for all
    /// its tasks; null if that is not the reason.
    @Nullable Refusal tooSpread(Job job) {
        return placer.tooSpread(job, view(job));
    }

    /// Why the present fleet could not run the job even when idle; null if it could.
    @Nullable String never(Job job) {
        return nodeSearch.whenIdle().why(job.spec());
    }

    /// Which label that the job selects no node has; null when that is not the reason.
    @Nullable String missingLabel(Job job) {
        return nodeSearch.whenIdle().missingLabel(job.spec());
    }

    /// Whether the present fleet could run the job only if it had smaller tasks.
    boolean fitsCut(Job job) {
        return nodeSearch.whenIdle().cut(job.spec()) != null;
    }

    /// The capacity that the job may use.
    CapacityView view(Job job) {
        if (policy.backfill() == Backfill.CONSERVATIVE) {
            var capacityTimeline = new CapacityTimeline(state, assumed, now);
            boolean reserved = capacityTimeline.of(job.id()) != null;
            return capacityTimeline.now(job, other -> reserved || goesBefore(other, job)).view();
        }
        Duration length = job.spec().planned(assumed);
        var claims = new Claims(state, event -> {}, now);
        return CapacityView.of(state, job.id(), now.plus(length), claims.isAheadOfReservation(job));
    }

    private boolean goesBefore(CapacityTimeline.Reservation reservation, Job job) {
        Job holder = state.job(reservation.holder);
        return holder != null && state.precedes(holder, job);
    }
}
