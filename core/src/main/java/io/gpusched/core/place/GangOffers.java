package io.gpusched.core.place;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.CapacityView;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// How many tasks of a gang each node could run.
///
/// One task is tried on each node. How many more fit is computed, not tried, and may be too high
/// where the GPUs of a node differ or must be connected in a certain way.
final class GangOffers {
    /// @param tasks at least one; the most that fit there
    record Offer(NodeView node, int tasks) {}

    private final NodeSearch nodeSearch;
    private final CapacityView view;

    /// Nodes with an offer: a node with shared and idle GPUs is met twice.
    private final BitSet met = new BitSet();

    /// @param view the free capacity of the nodes as the gang sees it
    GangOffers(NodeSearch nodeSearch, CapacityView view) {
        this.nodeSearch = nodeSearch;
        this.view = view;
    }

    /// The offer of each node that could run a task.
    List<Offer> of(Shape shape) {
        var offers = new ArrayList<Offer>();
        met.clear();
        switch (shape.gpus()) {
            case GpuRequest.None none -> walk(shape, NodeIndex.idle(0), offers);
            case GpuRequest.Whole whole -> walk(shape, NodeIndex.idle(whole.count()), offers);
            case GpuRequest.Share share -> {
                int from = NodeIndex.shared(share.milli());
                walk(shape, from, NodeIndex.shared(1000), offers);
                walk(shape, NodeIndex.idle(1), offers);
            }
            case GpuRequest.Slice slice -> {
                walk(shape, NodeIndex.sliced(), NodeIndex.sliced(), offers);
                walk(shape, NodeIndex.idle(1), offers);
            }
        }
        return offers;
    }

    /// The same for these nodes only, in their present state.
    List<Offer> again(Shape shape, List<Offer> before) {
        var offers = new ArrayList<Offer>(before.size());
        for (Offer offer : before) {
            add(shape, offer.node, offers);
        }
        return offers;
    }

    private void walk(Shape shape, int from, List<Offer> offers) {
        walk(shape, from, NodeIndex.idle(Gpu.MOST_PER_NODE), offers);
    }

    private void walk(Shape shape, int from, int to, List<Offer> offers) {
        NodeSearch.Suitable suits = nodeSearch.suits(shape);
        NodeIndex index = nodeSearch.state().nodes().index();
        for (int group = 0; group < suits.groups.length; group++) {
            for (int shelf = from; suits.groups[group] && shelf <= to; shelf++) {
                for (int at = suits.next(index, group, shelf, 0);
                        at >= 0;
                        at = suits.next(index, group, shelf, at + 1)) {
                    NodeView node = index.member(at);
                    if (!met.get(node.index())) {
                        met.set(node.index());
                        add(shape, node, offers);
                    }
                }
            }
        }
    }

    private void add(Shape shape, NodeView node, List<Offer> offers) {
        if (nodeSearch.fit(shape, node, view) != null) {
            NodeView shown = view.show(node);
            offers.add(new Offer(shown, atMost(shape, shown)));
        }
    }

    /// The most tasks that the node could run in this view; at least one, which is known to fit.
    static int atMost(Shape shape, NodeView node) {
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

    /// Whether [#atMost] is exact: every GPU of the node suits the shape, or it requests none.
    static boolean isSure(Shape shape, NodeView node) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> true;
            case GpuRequest.Whole whole ->
                    whole.locality() == Locality.ANY
                            && whole.minBandwidth() == 0
                            && node.hotGpus() == 0
                            && everyGpuDoes(shape, whole.memoryMiB(), node);
            case GpuRequest.Share share -> false;
            case GpuRequest.Slice slice -> false;
        };
    }

    private static boolean everyGpuDoes(Shape shape, int memoryMiB, NodeView node) {
        if (memoryMiB == 0 && shape.models().isEmpty()) {
            return true;
        }
        for (Gpu gpu : node.facts().gpus()) {
            if (gpu.memoryMiB() < memoryMiB || !shape.acceptsModel(gpu.model())) {
                return false;
            }
        }
        return true;
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
