package io.gpusched.core.explain;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.Placer;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.preempt.LostWork;
import io.gpusched.core.policy.preempt.PriorityPreemptor;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.JobTable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Finds running jobs that could move to other GPUs so that a waiting job could start.
///
/// The waiting job's tasks first take what is free. For each remaining task the search finds, on
/// every suitable node, the jobs that would have to move so that the task fits. It clears the
/// cheapest nodes first, by work lost. A moved job must find a new place while all jobs still hold
/// their old ones, so the moves can be made in any order. In the end the search repeats all moves
/// from the beginning and drops those that are not needed. It works in trials and with bounded
/// effort; it finds good moves, not the best.
final class Defragmenter {
    private static final int MOST_NODES = 2_000;
    private static final int MOST_SEARCHES = 1_000;

    /// A node that could be cleared, and the work that would be lost.
    private record Clearing(NodeView node, long lost, int jobs) {}

    private final Hypothesis hypothesis;
    private final LostWork lost;
    private final ClusterState state;
    private final Job job;
    private final Set<JobId> moved = new LinkedHashSet<>();
    private final List<List<DefragmentationAdvice.Move>> cleared = new ArrayList<>();
    private int searches;

    private Defragmenter(Hypothesis hypothesis, LostWork lost, Job job) {
        this.lost = lost;
        this.hypothesis = hypothesis;
        this.state = hypothesis.state;
        this.job = job;
    }

    /// The moves that would let the job start.
    static DefragmentationAdvice advise(Hypothesis hypothesis, LostWork lost, JobId id) {
        Job job = hypothesis.state.job(id);
        return job == null || !job.waiting()
                ? DefragmentationAdvice.none(id, "the job does not wait")
                : new Defragmenter(hypothesis, lost, job).advise();
    }

    /// The same for the largest waiting job that no gate holds back.
    static DefragmentationAdvice adviseLargest(Hypothesis hypothesis, LostWork lost) {
        JobTable jobs = hypothesis.state.jobs();
        Job largest = null;
        for (long number = jobs.first(); number <= jobs.last(); number++) {
            Job job = jobs.job(number);
            if (job != null
                    && job.waiting()
                    && (largest == null || job.spec().milliGpus() > largest.spec().milliGpus())
                    && hypothesis.gate(job) == null) {
                largest = job;
            }
        }
        return largest == null
                ? DefragmentationAdvice.none(null, "no job waits for GPUs")
                : new Defragmenter(hypothesis, lost, largest).advise();
    }

    private DefragmentationAdvice advise() {
        Refusal held = hypothesis.gate(job);
        if (held != null) {
            return DefragmentationAdvice.none(job.id(), "moves would not help: " + held.why());
        }
        Placer.Found now = hypothesis.place(job);
        if (now != null) {
            return new DefragmentationAdvice(
                    job.id(), "it fits as it is, no move is needed", List.of(), now.placement(), 0);
        }
        if (!hypothesis.placer.couldEver(job)) {
            return DefragmentationAdvice.none(job.id(), "no node could ever take one of its tasks");
        }
        try (Trial trial = state.trial()) {
            if (!makeRoom(trial)) {
                return DefragmentationAdvice.none(
                        job.id(), "no moves were found that would let it start");
            }
        }
        return tested();
    }

    private boolean makeRoom(Trial trial) {
        List<Role> roles = job.spec().roles();
        int rank = 0;
        for (int number = 0; number < roles.size(); number++) {
            Role role = roles.get(number);
            List<NodeView> nodes = suitable(role.shape());
            int left = role.min();
            for (NodeView node : nodes) {
                left -= fill(role.shape(), node, left, rank, trial);
            }
            for (Clearing clearing : cheapest(role.shape(), nodes, left, trial)) {
                if (left > 0 && searches < MOST_SEARCHES) {
                    left -= clear(role.shape(), clearing.node, left, trial);
                }
            }
            if (left > 0) {
                return false;
            }
            rank += role.min();
        }
        return true;
    }

    /// Open nodes that the shape could ever go to, the fullest first.
    private List<NodeView> suitable(Shape shape) {
        NodeSearch.Suitable suits = hypothesis.nodeSearch.suits(shape);
        NodeIndex index = state.nodes().index();
        var nodes = new ArrayList<NodeView>();
        for (int group = 0; group < suits.groups.length; group++) {
            int first = suits.groups[group] ? index.next(group, 0) : -1;
            for (int at = first; at >= 0; at = index.next(group, at + 1)) {
                NodeView node = index.member(at);
                if (node.status().open() && suits.has(index, node)) {
                    nodes.add(node);
                }
            }
        }
        nodes.sort(
                Comparator.comparingInt((NodeView node) -> Long.bitCount(node.idleGpus()))
                        .thenComparingInt(NodeView::index));
        return nodes;
    }

    /// Places up to `most` tasks of the waiting job on the node; returns how many fit.
    private int fill(Shape shape, NodeView node, int most, int rank, Trial trial) {
        CapacityView view = hypothesis.view(job);
        int placed = 0;
        while (placed < most) {
            Grant grant = hypothesis.nodeSearch.fit(shape, node, view);
            if (grant == null) {
                break;
            }
            trial.place(new Slot(node.facts().id(), 0, rank + placed, grant, shape.host()));
            placed++;
        }
        return placed;
    }

    /// Nodes on which a task would fit if some of their jobs moved, the least work lost first.
    private List<Clearing> cheapest(Shape shape, List<NodeView> nodes, int left, Trial trial) {
        var clearings = new ArrayList<Clearing>();
        // The emptiest come last in `nodes`, and need the fewest moves.
        for (int at = nodes.size() - 1; left > 0 && at >= 0; at--) {
            if (nodes.size() - at > MOST_NODES) {
                break;
            }
            NodeView node = nodes.get(at);
            List<Job> leaving = leaving(shape, node, trial);
            if (!leaving.isEmpty()) {
                clearings.add(new Clearing(node, lost(leaving), leaving.size()));
            }
        }
        clearings.sort(
                Comparator.comparingLong(Clearing::lost)
                        .thenComparingInt(Clearing::jobs)
                        .thenComparingInt(one -> one.node.index()));
        return clearings;
    }

    /// The jobs to move off the node so that one task fits there; empty if moving jobs does not
    /// help.
    private List<Job> leaving(Shape shape, NodeView node, Trial trial) {
        List<Job> movable = movable(node);
        var gone = new ArrayList<Job>();
        int mark = trial.mark();
        CapacityView view = hypothesis.view(job);
        for (Job one : movable) {
            trial.evict(run(one));
            gone.add(one);
            if (hypothesis.nodeSearch.fit(shape, node, view) != null) {
                spare(shape, node, view, gone, trial);
                trial.undo(mark);
                return gone;
            }
        }
        trial.undo(mark);
        return List.of();
    }

    private void spare(Shape shape, NodeView node, CapacityView view, List<Job> gone, Trial trial) {
        for (int at = gone.size() - 2; at >= 0; at--) {
            trial.restore(run(gone.get(at)), changed -> {});
            if (hypothesis.nodeSearch.fit(shape, node, view) == null) {
                trial.evict(run(gone.get(at)));
            } else {
                gone.remove(at);
            }
        }
    }

    /// Jobs that may be moved from the node, the least work lost first.
    private List<Job> movable(NodeView node) {
        var movable = new ArrayList<Job>();
        for (JobId id : node.jobs()) {
            Job one = state.job(id);
            boolean runs =
                    one != null
                            && (one.phase() instanceof Phase.Running
                                    || one.phase() instanceof Phase.Starting);
            if (one != null
                    && runs
                    && !moved.contains(id)
                    && one.spec().onLoss().requeue()
                    && PriorityPreemptor.mayLeave(one, state)) {
                movable.add(one);
            }
        }
        movable.sort(
                Comparator.comparingLong((Job one) -> lost(one))
                        .thenComparingLong(one -> one.spec().milliGpus())
                        .thenComparing(Job::id));
        return movable;
    }

    /// Moves jobs off the node and places tasks of the waiting job there. Returns the number of
    /// tasks; zero if one of the jobs does not fit elsewhere.
    private int clear(Shape shape, NodeView node, int left, Trial trial) {
        List<Job> leaving = leaving(shape, node, trial);
        int mark = trial.mark();
        Run block = block(node, trial);
        var moves = new ArrayList<DefragmentationAdvice.Move>();
        for (Job one : leaving) {
            Placement to = elsewhere(one, node.facts().id());
            if (to == null) {
                trial.undo(mark);
                return 0;
            }
            to.slots().forEach(trial::place);
            moves.add(
                    new DefragmentationAdvice.Move(
                            one.id(), one.tenant(), run(one).on(), to, lost(one)));
        }
        trial.evict(block);
        leaving.forEach(one -> trial.evict(run(one)));
        int placed = fill(shape, node, left, 0, trial);
        if (placed == 0) {
            trial.undo(mark);
            return 0;
        }
        leaving.forEach(one -> moved.add(one.id()));
        if (!moves.isEmpty()) {
            cleared.add(moves);
        }
        return placed;
    }

    /// Takes all free capacity of the node, so that no job moves to a node that is being cleared.
    private Run block(NodeView node, Trial trial) {
        var host =
                new Resources(Math.max(0, node.freeMilliCpu()), Math.max(0, node.freeMemoryMiB()));
        var slot = new Slot(node.facts().id(), 0, 0, new Grant.Whole(node.idleGpus()), host);
        trial.place(slot);
        return Run.placed(
                new AttemptId(job.id(), 0, 0), new Placement(List.of(slot)), hypothesis.now);
    }

    private @Nullable Placement elsewhere(Job one, NodeId but) {
        searches++;
        Placer.Found found = hypothesis.place(one);
        if (found == null) {
            return null;
        }
        for (Slot slot : found.placement().slots()) {
            if (slot.node().equals(but)) {
                return null;
            }
        }
        return found.placement();
    }

    /// Drops moves that are not needed, and tries the others again from the beginning.
    private DefragmentationAdvice tested() {
        for (int at = cleared.size() - 1; at >= 0; at--) {
            var fewer = new ArrayList<>(cleared);
            fewer.remove(at);
            if (after(flat(fewer)) != null) {
                cleared.remove(at);
            }
        }
        List<DefragmentationAdvice.Move> moves = flat(cleared);
        Placement place = after(moves);
        if (place == null) {
            return DefragmentationAdvice.none(
                    job.id(), "no moves were found that would let it start");
        }
        long lost = 0;
        for (DefragmentationAdvice.Move move : moves) {
            lost += move.lostMilliGpuSeconds();
        }
        String count = moves.size() == 1 ? "1 move" : moves.size() + " moves";
        return new DefragmentationAdvice(
                job.id(), count + " would let it start", moves, place, lost);
    }

    private static List<DefragmentationAdvice.Move> flat(
            List<List<DefragmentationAdvice.Move>> cleared) {
        var moves = new ArrayList<DefragmentationAdvice.Move>();
        cleared.forEach(moves::addAll);
        return moves;
    }

    /// Where the waiting job would start after the moves; null if nowhere.
    private @Nullable Placement after(List<DefragmentationAdvice.Move> moves) {
        try (Trial trial = state.trial()) {
            for (DefragmentationAdvice.Move move : moves) {
                move.to().slots().forEach(trial::place);
                trial.evict(run(Objects.requireNonNull(state.job(move.job()))));
            }
            Placer.Found found = hypothesis.place(job);
            return found == null ? null : found.placement();
        }
    }

    private long lost(Job one) {
        return lost.milliGpuSeconds(one, hypothesis.now);
    }

    private long lost(List<Job> jobs) {
        long sum = 0;
        for (Job one : jobs) {
            sum += lost(one);
        }
        return sum;
    }

    private static Run run(Job job) {
        return Objects.requireNonNull(job.phase().run());
    }
}
