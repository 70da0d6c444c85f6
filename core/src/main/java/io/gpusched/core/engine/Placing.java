package io.gpusched.core.engine;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Near;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.Term;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeIndex;
import io.gpusched.core.state.NodeView;
import io.gpusched.core.state.Trial;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/// Finds places for all tasks of a job, or none.
///
/// A single task goes to the best node. A gang is spread over as few nodes as possible: large nodes
/// first, and the last few tasks onto the fullest node that still takes them all, so that little is
/// cut up. Because one thread tries one gang at a time and takes everything back when the last task
/// finds no place, two gangs can never each hold half of what both need.
final class Placing {
    /// Places found, and the terms that decided on the first of them.
    record Found(Placement placement, List<Term> terms) {}

    private record Offer(NodeView node, int tasks) {}

    private final ClusterState state;
    private final Search search;

    /// Nodes that have made an offer: one with shared and idle GPUs is on two shelves.
    private final BitSet met = new BitSet();

    Placing(ClusterState state, Search search) {
        this.state = state;
        this.search = search;
    }

    /// Whether there is at all a kind of node for each of the job's roles.
    boolean couldEver(Job job) {
        for (Role role : job.spec().roles()) {
            boolean any = false;
            for (boolean suits : search.suits(role.shape()).groups) {
                any |= suits;
            }
            if (!any) {
                return false;
            }
        }
        return true;
    }

    /// Whether the job could use anything that is freed on the node.
    boolean couldUse(Job job, NodeId id) {
        NodeView node = state.node(id);
        for (Role role : job.spec().roles()) {
            Shape shape = role.shape();
            if (node != null
                    && search.suits(shape).has(state.nodeIndex(), node)
                    && node.facts().labels().containAll(shape.nodes())) {
                return true;
            }
        }
        return false;
    }

    @Nullable Found find(Job job) {
        List<Role> roles = job.spec().roles();
        if (job.spec().tasks() == 1) {
            Search.Choice choice = search.best(job, roles.getFirst().shape(), 0, 0);
            return choice == null
                    ? null
                    : new Found(new Placement(List.of(choice.slot())), choice.terms());
        }
        try (Trial trial = state.trial()) {
            var slots = new ArrayList<Slot>();
            for (int role = 0; role < roles.size(); role++) {
                if (!placeRole(job, role, trial, slots)) {
                    return null;
                }
            }
            return new Found(new Placement(slots), List.of());
        }
    }

    private boolean placeRole(Job job, int number, Trial trial, List<Slot> slots) {
        Role role = job.spec().roles().get(number);
        int left = role.min();
        List<Offer> offers = offers(role.shape());
        boolean oneNode = job.spec().near().contains(new Near(Near.NODE, true));
        while (left > 0) {
            Offer offer = choose(offers, left);
            if (offer == null || (oneNode && offer.tasks < left)) {
                return false;
            }
            offers.remove(offer);
            left -= placeTasks(role.shape(), number, left, offer.node, trial, slots);
            if (oneNode && left > 0) {
                return false;
            }
        }
        return true;
    }

    private int placeTasks(
            Shape shape, int role, int most, NodeView node, Trial trial, List<Slot> slots) {
        int placed = 0;
        while (placed < most) {
            Grant grant = search.fit(shape, node);
            if (grant == null) {
                break;
            }
            var slot = new Slot(node.facts().id(), role, slots.size(), grant, shape.host());
            trial.place(slot);
            slots.add(slot);
            placed++;
        }
        return placed;
    }

    /// The smallest offer that takes all that are left; failing that, the largest.
    private static @Nullable Offer choose(List<Offer> offers, int left) {
        Offer best = null;
        for (Offer offer : offers) {
            if (offer.tasks >= left) {
                best = offer;
            } else {
                return best == null ? offer : best;
            }
        }
        return best;
    }

    /// What each node could take, the largest offers first and, among equals, the emptier nodes
    /// first: [#choose] takes the last one that suffices, which is the fullest.
    private List<Offer> offers(Shape shape) {
        var offers = new ArrayList<Offer>();
        met.clear();
        switch (shape.gpus()) {
            case GpuRequest.None none -> addOffers(shape, NodeIndex.idle(0), offers);
            case GpuRequest.Whole whole -> addOffers(shape, NodeIndex.idle(whole.count()), offers);
            case GpuRequest.Share share -> {
                addOffers(shape, NodeIndex.shared(share.milli()), NodeIndex.shared(1000), offers);
                addOffers(shape, NodeIndex.idle(1), offers);
            }
            case GpuRequest.Slice slice -> {
                addOffers(shape, NodeIndex.sliced(), NodeIndex.sliced(), offers);
                addOffers(shape, NodeIndex.idle(1), offers);
            }
        }
        offers.sort(
                Comparator.comparingInt((Offer offer) -> -offer.tasks)
                        .thenComparingInt(offer -> -Long.bitCount(offer.node.freeGpus()))
                        .thenComparingInt(offer -> offer.node.index()));
        return offers;
    }

    private void addOffers(Shape shape, int from, List<Offer> offers) {
        addOffers(shape, from, NodeIndex.idle(Gpu.MOST_PER_NODE), offers);
    }

    private void addOffers(Shape shape, int from, int to, List<Offer> offers) {
        Search.Suitable suits = search.suits(shape);
        NodeIndex index = state.nodeIndex();
        for (int group = 0; group < suits.groups.length; group++) {
            for (int shelf = from; suits.groups[group] && shelf <= to; shelf++) {
                for (int at = suits.next(index, group, shelf, 0);
                        at >= 0;
                        at = suits.next(index, group, shelf, at + 1)) {
                    NodeView node = index.member(group, at);
                    if (!met.get(node.index()) && search.fit(shape, node) != null) {
                        met.set(node.index());
                        offers.add(new Offer(node, capacity(shape, node)));
                    }
                }
            }
        }
    }

    /// How many tasks the node could take at most; at least one, which is known to fit.
    private static int capacity(Shape shape, NodeView node) {
        long tasks =
                switch (shape.gpus()) {
                    case GpuRequest.None none -> Integer.MAX_VALUE;
                    case GpuRequest.Whole whole -> Long.bitCount(node.freeGpus()) / whole.count();
                    case GpuRequest.Share share -> shares(share, node) / share.count();
                    case GpuRequest.Slice slice -> node.facts().gpus().size() * 8L / slice.count();
                };
        if (shape.host().milliCpu() > 0) {
            tasks = Math.min(tasks, node.freeMilliCpu() / shape.host().milliCpu());
        }
        if (shape.host().memoryMiB() > 0) {
            tasks = Math.min(tasks, node.freeMemoryMiB() / shape.host().memoryMiB());
        }
        return (int) Math.max(1, tasks);
    }

    private static long shares(GpuRequest.Share share, NodeView node) {
        long tasks = 0;
        for (int gpu = 0; gpu < node.facts().gpus().size(); gpu++) {
            int here = node.leftMilli(gpu) / share.milli();
            if (share.memoryMiB() > 0) {
                here = Math.min(here, node.leftMemoryMiB(gpu) / share.memoryMiB());
            }
            tasks += here;
        }
        return tasks;
    }
}
