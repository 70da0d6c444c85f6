package io.gpusched.core.place;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.state.ClusterState;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Chooses which nodes are scored, where the policy does not score all of them.
///
/// In each group of nodes with equal descriptions it walks the levels of free GPUs from the fullest
/// suitable nodes to the emptiest, or the other way for a policy that prefers emptier nodes. The
/// groups take turns, one candidate each, until there are enough candidates. So a large group does
/// not hide another one: every suitable group in which a node could run the task has a candidate,
/// and the number of candidates exceeds the policy's breadth only where there are more such groups.
///
///     breadth 6    A100: a1 a2 a3 a4 …   L4: l1   H100: h1 h2 h3 …
///     candidates   a1 l1 h1 · a2 h2 · a3
///
/// Up to half of the candidates are taken first from the nodes with a label that scorers prefer, so
/// that a cached model or a low price is not missed because other nodes came earlier in the walk.
/// A quarter may be nodes that scorers prefer by name.
final class CandidateSelector {
    /// Receives nodes that may suit.
    interface Taker {
        /// Whether the node became a candidate.
        boolean take(NodeView node);
    }

    /// A subset of the nodes of each group at each level of free GPUs.
    private interface Among {
        /// As [NodeIndex#next].
        int next(int group, int shelf, int from);
    }

    /// With more preferred labels than this, each would get hardly a candidate.
    private static final int MOST_PREFERENCES = 8;

    /// With so many nodes that suit, further ones are not looked at.
    private static final int MOST_NAMED = 256;

    private static final int MOST_REMEMBERED = 10_000;

    private final ClusterState state;
    private final int breadth;
    private final boolean emptiestFirst;
    private final List<WeightedScorer> scorers;
    private final Map<PreferredLabel, NodeIndex.Carriers> carriersByLabel = new LinkedHashMap<>();

    /// Nodes met in this search, where a node can be met twice: it has both shared and idle GPUs,
    /// or it carries a preferred label.
    private final BitSet met = new BitSet();

    /// Groups that have a candidate in this search.
    private final BitSet covered = new BitSet();

    private long carriersVersion = -1;
    private int found;

    CandidateSelector(ClusterState state, Policy policy) {
        this.state = state;
        this.breadth = policy.breadth();
        this.scorers = policy.scorers();
        boolean emptiest = false;
        for (WeightedScorer weightedScorer : scorers) {
            emptiest |= weightedScorer.scorer().likesRoom();
        }
        this.emptiestFirst = emptiest;
    }

    void gather(Job job, Shape shape, NodeSearch.Suitable suits, Taker taker) {
        NodeIndex index = state.nodes().index();
        List<NodeIndex.Carriers> preferred = preferred(job);
        List<NodeView> named = named(job, suits);
        boolean twice = !preferred.isEmpty() || !named.isEmpty() || takesPartOfGpu(shape);
        if (twice) {
            met.clear();
        }
        covered.clear();
        found = 0;
        for (NodeView node : named) {
            found += found < breadth / 4 && unlessMet(taker).take(node) ? 1 : 0;
        }
        takePreferred(preferred, shape, suits, taker);
        Among all = (group, shelf, from) -> suits.next(index, group, shelf, from);
        Walk walk = walk(shape, suits.groups, all, twice ? unlessMet(taker) : taker);
        walk.once();
        walk.until(breadth);
    }

    private static boolean takesPartOfGpu(Shape shape) {
        return shape.gpus() instanceof GpuRequest.Share || shape.gpus() instanceof GpuRequest.Slice;
    }

    private Taker unlessMet(Taker taker) {
        return node -> {
            if (met.get(node.index())) {
                return false;
            }
            met.set(node.index());
            return taker.take(node);
        };
    }

    /// The nodes that scorers prefer by name and that suit.
    private List<NodeView> named(Job job, NodeSearch.Suitable suits) {
        var named = new ArrayList<NodeView>();
        for (WeightedScorer weightedScorer : scorers) {
            for (NodeId id : weightedScorer.scorer().preferredNodes(job, state)) {
                if (named.size() == MOST_NAMED) {
                    return named;
                }
                NodeView node = state.nodes().find(id);
                if (node != null
                        && node.status().open()
                        && suits.has(state.nodes().index(), node)) {
                    named.add(node);
                }
            }
        }
        return named;
    }

    /// Every preferred label gets its part of half of the candidates, and what earlier ones left.
    private void takePreferred(
            List<NodeIndex.Carriers> preferred,
            Shape shape,
            NodeSearch.Suitable suits,
            Taker taker) {
        NodeIndex index = state.nodes().index();
        int rest = preferred.size();
        for (NodeIndex.Carriers carriers : preferred) {
            var groups = new boolean[suits.groups.length];
            for (int group = 0; group < groups.length; group++) {
                groups[group] = suits.groups[group] && carriers.areIn(group);
            }
            int until = found + Math.max(1, (breadth / 2 - found) / rest--);
            Among some = (group, shelf, from) -> index.next(group, shelf, carriers, from);
            walk(shape, groups, some, unlessMet(taker)).until(Math.min(until, breadth));
        }
    }

    /// The nodes that carry each label that the job or scorers prefer, where any node does.
    private List<NodeIndex.Carriers> preferred(Job job) {
        NodeIndex index = state.nodes().index();
        if (index.version() != carriersVersion || carriersByLabel.size() > MOST_REMEMBERED) {
            carriersByLabel.clear();
            carriersVersion = index.version();
        }
        var preferred = new ArrayList<NodeIndex.Carriers>();
        addCarriers(PreferredRegions.labels(job), preferred);
        for (WeightedScorer weightedScorer : scorers) {
            addCarriers(weightedScorer.scorer().wishes(job, state), preferred);
        }
        return preferred;
    }

    private void addCarriers(List<PreferredLabel> labels, List<NodeIndex.Carriers> preferred) {
        NodeIndex index = state.nodes().index();
        for (PreferredLabel label : labels) {
            NodeIndex.Carriers carriers =
                    carriersByLabel.computeIfAbsent(label, w -> index.carrying(w::isGrantedBy));
            if (preferred.size() < MOST_PREFERENCES && !carriers.isEmpty()) {
                preferred.add(carriers);
            }
        }
    }

    /// Shares prefer GPUs already shared to idle ones, and slices likewise.
    private Walk walk(Shape shape, boolean[] groups, Among among, Taker taker) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> new Walk(groups, among, taker, 0, -1, 0);
            case GpuRequest.Whole whole -> new Walk(groups, among, taker, 0, -1, whole.count());
            case GpuRequest.Share share -> {
                int first = NodeIndex.shared(share.milli());
                yield new Walk(groups, among, taker, first, NodeIndex.shared(1000), 1);
            }
            case GpuRequest.Slice slice -> {
                int sliced = NodeIndex.sliced();
                yield new Walk(groups, among, taker, sliced, sliced, 1);
            }
        };
    }

    /// One walk over a subset of nodes: in each group first over the levels of partly used GPUs,
    /// then over those of idle GPUs.
    private final class Walk {
        private final NodeIndex index = state.nodes().index();
        private final boolean[] groups;
        private final Among among;
        private final Taker taker;
        private final int firstPart;
        private final int parts;
        private final int firstIdle;
        private final int steps;

        /// For each group, how many levels are done, and where to continue on the next.
        private final int[] behind;

        private final int[] from;

        /// @param firstPart the first level of partly used GPUs
        /// @param lastPart the last of them
        /// @param idle the least number of idle GPUs at the other levels
        Walk(boolean[] groups, Among among, Taker taker, int firstPart, int lastPart, int idle) {
            this.groups = groups;
            this.among = among;
            this.taker = taker;
            this.firstPart = firstPart;
            this.parts = lastPart - firstPart + 1;
            this.firstIdle = NodeIndex.idle(idle);
            this.steps = parts + NodeIndex.idle(Gpu.MOST_PER_NODE) - firstIdle + 1;
            this.behind = new int[groups.length];
            this.from = new int[groups.length];
        }

        /// Gives a candidate to each group that has none yet.
        void once() {
            for (int group = 0; group < groups.length; group++) {
                if (groups[group] && !covered.get(group)) {
                    advance(group, 1);
                }
            }
        }

        /// Gives the groups candidates in turn until there are this many.
        void until(int enough) {
            int only = onlyGroup();
            if (only >= 0) {
                advance(only, enough - found);
                return;
            }
            boolean more = true;
            while (more && found < enough) {
                more = false;
                for (int group = 0; group < groups.length && found < enough; group++) {
                    more |= groups[group] && advance(group, 1);
                }
            }
        }

        /// The group, where there is just one; otherwise -1. It need not wait for its turn.
        private int onlyGroup() {
            int only = -1;
            for (int group = 0; group < groups.length; group++) {
                if (groups[group]) {
                    if (only >= 0) {
                        return -1;
                    }
                    only = group;
                }
            }
            return only;
        }

        /// Continues to the next `most` candidates of the group; false when it has fewer left.
        private boolean advance(int group, int most) {
            int left = most;
            int step = behind[group];
            int next = from[group];
            while (left > 0 && step < steps) {
                int shelf = shelf(step);
                int at = index.isEmpty(group, shelf) ? -1 : among.next(group, shelf, next);
                if (at < 0) {
                    step++;
                    next = 0;
                } else {
                    next = at + 1;
                    left -= taker.take(index.member(at)) ? 1 : 0;
                }
            }
            behind[group] = step;
            from[group] = next;
            if (left < most) {
                found += most - left;
                covered.set(group);
            }
            return left == 0;
        }

        private int shelf(int step) {
            if (step < parts) {
                return emptiestFirst ? firstPart + parts - 1 - step : firstPart + step;
            }
            int idle = step - parts;
            return emptiestFirst ? NodeIndex.idle(Gpu.MOST_PER_NODE) - idle : firstIdle + idle;
        }
    }
}
