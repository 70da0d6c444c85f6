package io.gpusched.core.place;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Finds slots for all tasks of a job, or none.
///
/// A single task goes to the best node. A gang is spread over as few nodes as possible: large nodes
/// first, and the last few tasks onto the fullest node that still fits them all, which limits
/// fragmentation; see [GangTrial]. One thread tries one gang at a time and undoes everything when
/// the last task does not fit, so two gangs can never each hold half of what both need.
public final class Placer {
    /// A placement, and the score terms of its first slot.
    public record Found(Placement placement, List<ScoreTerm> terms) {}

    private final ClusterState state;
    private final NodeSearch nodeSearch;

    public Placer(ClusterState state, NodeSearch nodeSearch) {
        this.state = state;
        this.nodeSearch = nodeSearch;
    }

    ClusterState state() {
        return state;
    }

    /// Whether the fleet has any suitable node for each of the job's roles.
    public boolean couldEver(Job job) {
        for (Role role : job.spec().roles()) {
            boolean any = false;
            for (boolean suits : nodeSearch.suits(role.shape()).groups) {
                any |= suits;
            }
            if (!any) {
                return false;
            }
        }
        return true;
    }

    /// Whether the slot's node suits the shape, and the slot holds all that it needs.
    public boolean suits(Shape shape, Slot slot) {
        NodeView node = state.nodes().find(slot.node());
        return node != null
                && nodeSearch.suits(shape).has(state.nodes().index(), node)
                && slot.host().equals(shape.host());
    }

    /// Whether no filter refuses the slot's node in its present state, and no GPU of the slot is
    /// hot.
    public boolean isFine(Shape shape, Slot slot, CapacityView view) {
        NodeView node = state.nodes().find(slot.node());
        return node != null
                && nodeSearch.fit(shape, node, view) != null
                && (node.hotGpus() & slot.grant().mask()) == 0;
    }

    /// A placement of the job in the free capacity of the view; null when there is none.
    public @Nullable Found find(Job job, CapacityView view) {
        if (job.spec().tasks() == 1) {
            NodeSearch.Choice choice =
                    nodeSearch.best(job, job.spec().roles().getFirst().shape(), view);
            return choice == null
                    ? null
                    : new Found(new Placement(List.of(choice.slot())), choice.terms());
        }
        GangProximity near = nearness(job);
        if (near.isImpossible()) {
            return null;
        }
        try (Trial trial = state.trial()) {
            var gangTrial = new GangTrial(job, view, nodeSearch, near, trial);
            return gangTrial.place()
                    ? new Found(new Placement(gangTrial.slots()), List.of())
                    : null;
        }
    }

    /// A placement of the job in slots that were reserved for it, with their score terms now.
    public Found in(List<Slot> slots, Job job, CapacityView view) {
        Shape shape = job.spec().roles().getFirst().shape();
        boolean single = job.spec().tasks() == 1;
        return new Found(
                new Placement(slots),
                single ? nodeSearch.price(job, shape, slots.getFirst(), view) : List.of());
    }

    /// How many tasks of the job every node could run in the free capacity of the view.
    ///
    /// @param sure whether to try all tasks where a computed number may be wrong
    public GangCapacity headroom(Job job, CapacityView view, boolean sure) {
        return new GangCapacity(job, view, nodeSearch, nearness(job), sure);
    }

    /// Why the job cannot start although there may be room for all its tasks: no single rack has
    /// it. Null when the job has no such requirement.
    public @Nullable Refusal tooSpread(Job job, CapacityView view) {
        GangProximity near = nearness(job);
        if (near.isImpossible()) {
            return Refusal.untilFleet(
                    "near",
                    "the job requires a topology level that is no longer in topology.levels");
        }
        if (job.spec().tasks() == 1 || near.required() < 0) {
            return null;
        }
        return headroom(job, view, false)
                .shortfall(nodeSearch.topologyDomains().topologyLevels().names());
    }

    private GangProximity nearness(Job job) {
        return GangProximity.of(job.spec(), nodeSearch.topologyDomains().topologyLevels());
    }
}
