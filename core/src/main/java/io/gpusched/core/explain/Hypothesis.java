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
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/// The turn of a job, in the ledger or not, as it would be now. It asks the same gates, nodes and
/// preemptor as a real turn, and changes nothing.
final class Hypothesis {
    final ClusterState state;
    final Policy policy;
    final NodeSearch nodeSearch;
    final Placer placer;
    final Instant now;
    private final Duration assumed;

    /// How often a place was looked for.
    int tries;

    Hypothesis(Engine engine, Instant now) {
        this.state = engine.state();
        this.policy = engine.policy();
        this.nodeSearch = engine.nodeSearch();
        this.placer = new Placer(state, nodeSearch);
        this.assumed = engine.settings().assumedRuntime();
        this.now = now;
    }

    /// Why the job may not start whatever the nodes look like; null when it may.
    @Nullable Refusal gate(Job job) {
        return gate(job, state);
    }

    /// The same in a cluster that differs a little.
    @Nullable Refusal gate(Job job, ClusterView cluster) {
        Refusal refusal = ownGate(job, cluster);
        return refusal != null ? refusal : inLine(job);
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
    private @Nullable Refusal inLine(Job job) {
        if (policy.backfill() != Backfill.STRICT) {
            return null;
        }
        var waiting = new ArrayList<Job>();
        state.jobs().forEachWaiting(waiting::add);
        Job first = null;
        for (Job other : waiting) {
            if (!other.id().equals(job.id())
                    && state.standsBefore(other, first == null ? job : first)) {
                first = other;
            }
        }
        return first == null || ownGate(first, state) != null
                ? null
                : Refusal.untilCapacity(
                        "line", "another job is before it, and this policy lets nobody pass");
    }

    /// The place the job would get, were no gate there; null when there is none.
    Placer.@Nullable Found place(Job job) {
        tries++;
        return placer.find(job, view(job));
    }

    /// The place the job would get now, gates and all.
    Placer.@Nullable Found start(Job job) {
        return gate(job) == null ? place(job) : null;
    }

    /// The jobs that would be preempted for the job, and where it would start; null when none.
    PreemptionTrial.@Nullable Leaving room(Job job) {
        tries++;
        return PreemptionTrial.find(job, view(job), policy.preemptor(), placer, now);
    }

    /// The lowest base priority that makes the running job leave.
    long leavesFor(Job running) {
        return policy.preemptor().leavesFor(running, now);
    }

    /// Why no place of the level it requires or wishes for has room for all its tasks; null when
    /// that is not the reason.
    @Nullable Refusal tooSpread(Job job) {
        return placer.tooSpread(job, view(job));
    }

    /// Why the present fleet could not take the job even when idle; null when it could.
    @Nullable String never(Job job) {
        return nodeSearch.whenIdle().why(job.spec());
    }

    /// Which label that the job selects no node has; null when that is not the reason.
    @Nullable String missingLabel(Job job) {
        return nodeSearch.whenIdle().missingLabel(job.spec());
    }

    /// Whether the present fleet could take it if it were cut into smaller tasks, and only then.
    boolean fitsCut(Job job) {
        return nodeSearch.whenIdle().cut(job.spec()) != null;
    }

    /// What the job may use.
    CapacityView view(Job job) {
        if (policy.backfill() == Backfill.CONSERVATIVE) {
            var capacityTimeline = new CapacityTimeline(state, assumed, now);
            boolean promised = capacityTimeline.of(job.id()) != null;
            return capacityTimeline.now(job, other -> promised || goesBefore(other, job)).view();
        }
        Duration length = job.spec().planned(assumed);
        var claims = new Claims(state, event -> {}, now);
        return CapacityView.of(state, job.id(), now.plus(length), claims.isAheadOfReservation(job));
    }

    private boolean goesBefore(CapacityTimeline.Reservation reservation, Job job) {
        Job holder = state.job(reservation.holder);
        return holder != null && state.standsBefore(holder, job);
    }
}
