package io.gpusched.core.place;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Lets a preemptor try out victims, and finds the placement that the job would get. Jobs that are
/// already being stopped, and will have ended no later than any victim would, count as gone: their
/// capacity costs nothing.
public final class PreemptionTrial implements VictimTrial {
    /// The victims, and the placement of the job.
    ///
    /// @param victims to be preempted; none where jobs that are already stopping free enough
    /// @param within by when all have ended if they use their grace, the already stopping ones too
    public record Leaving(List<Job> victims, Placement placement, Duration within) {}

    private final Job job;
    private final CapacityView view;
    private final Trial trial;
    private final Placer placer;
    private final boolean sure;
    private @Nullable GangCapacity gangCapacity;

    private PreemptionTrial(Job job, CapacityView view, Trial trial, Placer placer, boolean sure) {
        this.job = job;
        this.view = view;
        this.trial = trial;
        this.placer = placer;
        this.sure = sure;
    }

    /// Null when no job would be preempted for the job, whichever jobs are already stopping.
    ///
    /// @param view what the job may use
    public static @Nullable Leaving find(
            Job job, CapacityView view, Preemptor preemptor, Placer placer, Instant now) {
        ClusterState state = placer.state();
        Leaving alone = find(job, view, preemptor, placer, now, List.of());
        if (alone == null) {
            return null;
        }
        var stopping = new ArrayList<Job>();
        for (Job other : state.runs().endingIn(now, now.plus(alone.within))) {
            if (other.phase() instanceof Phase.Stopping && isReached(other, state)) {
                stopping.add(other);
            }
        }
        if (stopping.isEmpty()) {
            return alone;
        }
        Leaving fewer = find(job, view, preemptor, placer, now, stopping);
        return fewer != null
                        && fewer.victims.size() < alone.victims.size()
                        && fewer.within.compareTo(alone.within) <= 0
                ? new Leaving(fewer.victims, fewer.placement, alone.within)
                : alone;
    }

    /// The end of a run on an unreachable node cannot be predicted: it does not receive the stop.
    private static boolean isReached(Job job, ClusterState state) {
        for (Slot slot : run(job).on().slots()) {
            NodeView node = state.nodes().find(slot.node());
            if (node == null || node.status().reach() != NodeStatus.Reach.UP) {
                return false;
            }
        }
        return true;
    }

    /// @param stopping jobs that are already stopping
    private static @Nullable Leaving find(
            Job job,
            CapacityView view,
            Preemptor preemptor,
            Placer placer,
            Instant now,
            List<Job> stopping) {
        for (boolean sure : new boolean[] {false, true}) {
            try (Trial trial = placer.state().trial()) {
                stopping.forEach(one -> trial.evict(run(one)));
                Placer.Found left = stopping.isEmpty() ? null : placer.find(job, view);
                if (left != null) {
                    return new Leaving(List.of(), left.placement(), Duration.ZERO);
                }
                int before = trial.mark();
                var victimTrial = new PreemptionTrial(job, view, trial, placer, sure);
                List<Job> victims = preemptor.victims(job, view, victimTrial, now);
                if (victims.isEmpty()) {
                    return null;
                }
                trial.undo(before);
                for (Job victim : victims) {
                    trial.evict(run(victim));
                }
                Placer.Found found = placer.find(job, view);
                if (found != null) {
                    return new Leaving(victims, found.placement(), longestGrace(victims));
                }
            }
        }
        return null;
    }

    private static Duration longestGrace(List<Job> victims) {
        Duration longest = Duration.ZERO;
        for (Job victim : victims) {
            Duration grace = victim.spec().onLoss().grace();
            longest = grace.compareTo(longest) > 0 ? grace : longest;
        }
        return longest;
    }

    @Override
    public boolean couldUse(Job victim) {
        for (Slot slot : run(victim).on().slots()) {
            if (counted().couldUse(slot.node())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void evict(Job victim) {
        trial.evict(run(victim), counted()::changed);
    }

    @Override
    public boolean misses(Job victim) {
        for (Slot slot : run(victim).on().slots()) {
            if (counted().countsOn(slot.node())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void restore(Job victim) {
        trial.restore(run(victim), counted()::changed);
    }

    @Override
    public boolean fits() {
        return counted().isEnough() && (counted().isExact() || placer.find(job, view) != null);
    }

    @Override
    public boolean isQuick() {
        return counted().isExact();
    }

    /// Made before any eviction, when the job is known not to fit: a count that says otherwise is
    /// wrong, and is made again by trying.
    private GangCapacity counted() {
        GangCapacity counted = gangCapacity;
        if (counted == null) {
            counted = placer.headroom(job, view, sure);
            if (!sure && counted.isEnough()) {
                counted = placer.headroom(job, view, true);
            }
            gangCapacity = counted;
        }
        return counted;
    }

    private static Run run(Job job) {
        return Objects.requireNonNull(job.phase().run());
    }
}
