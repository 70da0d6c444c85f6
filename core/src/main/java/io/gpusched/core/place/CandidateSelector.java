package io.gpusched.core.place;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeIndex;
import io.gpusched.core.state.NodeView;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Decides which nodes are scored where not all are.
///
/// In each group of nodes described alike it walks the shelves from the fullest nodes that could do
/// to the emptiest, or the other way for a policy that likes room. The groups take turns, one
/// candidate each, until there are enough candidates. So a group with many nodes does not hide
/// another one: every suitable group in which a node could take the task has a candidate, and the
/// number of candidates exceeds the policy's breadth only where there are more such groups.
///
///     breadth 6    A100: a1 a2 a3 a4 …   L4: l1   H100: h1 h2 h3 …
///     candidates   a1 l1 h1 · a2 h2 · a3
///
/// Up to half of the candidates are taken first from among the nodes that scorers wish for, so that
/// a cached model or a low price is not missed because other nodes came earlier on the shelves.
final class CandidateSelector {
    /// Hears of a node that may do.
    interface Taker {
        /// Whether the node became a candidate.
        boolean take(NodeView node);
    }

    /// Some of the nodes of each group on each shelf.
    private interface Among {
        /// As [NodeIndex#next].
        int next(int group, int shelf, int from);
    }

    /// More wishes than this would leave each of them hardly a candidate.
    private static final int MOST_WISHES = 8;

    private static final int MOST_REMEMBERED = 10_000;

    private final ClusterState state;
    private final int breadth;
    private final boolean roomiestFirst;
    private final List<WeightedScorer> scorers;
    private final Map<PreferredLabel, NodeIndex.Carriers> granted = new LinkedHashMap<>();

    /// Nodes met in this search: one with shared and idle GPUs is on two shelves.
    private final BitSet met = new BitSet();

    /// Groups that have a candidate in this search.
    private final BitSet heard = new BitSet();

    private long grantedVersion = -1;
    private int found;

    CandidateSelector(ClusterState state, Policy policy) {
        this.state = state;
        this.breadth = policy.breadth();
        this.scorers = policy.scorers();
        boolean room = false;
        for (WeightedScorer weightedScorer : scorers) {
            room |= weightedScorer.scorer().likesRoom();
        }
        this.roomiestFirst = room;
    }

    void gather(Job job, Shape shape, NodeSearch.Suitable suits, Taker taker) {
        NodeIndex index = state.nodeIndex();
        met.clear();
        heard.clear();
        found = 0;
        favourites(job, shape, suits, taker);
        Among all = (group, shelf, from) -> suits.next(index, group, shelf, from);
        Walk walk = walk(shape, suits.groups, all, taker);
        walk.once();
        walk.until(breadth);
    }

    /// Every wish gets its part of half of the candidates, and what earlier ones left of theirs.
    private void favourites(Job job, Shape shape, NodeSearch.Suitable suits, Taker taker) {
        NodeIndex index = state.nodeIndex();
        List<NodeIndex.Carriers> wished = wished(job);
        int rest = wished.size();
        for (NodeIndex.Carriers carriers : wished) {
            var groups = new boolean[suits.groups.length];
            for (int group = 0; group < groups.length; group++) {
                groups[group] = suits.groups[group] && carriers.areIn(group);
            }
            int until = found + Math.max(1, (breadth / 2 - found) / rest--);
            Among some = (group, shelf, from) -> index.next(group, shelf, carriers, from);
            walk(shape, groups, some, taker).until(Math.min(until, breadth));
        }
    }

    /// The nodes that carry what scorers wish for, for each wish that any node grants.
    private List<NodeIndex.Carriers> wished(Job job) {
        NodeIndex index = state.nodeIndex();
        if (index.version() != grantedVersion || granted.size() > MOST_REMEMBERED) {
            granted.clear();
            grantedVersion = index.version();
        }
        var wished = new ArrayList<NodeIndex.Carriers>();
        for (WeightedScorer weightedScorer : scorers) {
            for (PreferredLabel preferredLabel : weightedScorer.scorer().wishes(job, state)) {
                NodeIndex.Carriers carriers =
                        granted.computeIfAbsent(
                                preferredLabel, w -> index.carrying(w::isGrantedBy));
                if (wished.size() < MOST_WISHES && !carriers.isEmpty()) {
                    wished.add(carriers);
                }
            }
        }
        return wished;
    }

    /// Shares look for GPUs already shared before they break into an idle one, slices likewise.
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

    /// One walk among some nodes: in each group over some shelves of GPUs in part, then over those
    /// of idle GPUs.
    private final class Walk {
        private final NodeIndex index = state.nodeIndex();
        private final boolean[] groups;
        private final Among among;
        private final Taker taker;
        private final int firstPart;
        private final int parts;
        private final int firstIdle;
        private final int steps;

        /// For each group, how many shelves are behind it, and where it goes on on the next.
        private final int[] behind;

        private final int[] from;

        /// @param firstPart the first of the shelves of GPUs in part
        /// @param lastPart the last of them
        /// @param idle so many GPUs at least are idle on the other shelves
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

        /// Lets each group that has none yet have a candidate.
        void once() {
            for (int group = 0; group < groups.length; group++) {
                if (groups[group] && !heard.get(group)) {
                    advance(group);
                }
            }
        }

        /// Lets the groups have candidates in turn until there are so many.
        void until(int enough) {
            boolean more = true;
            while (more && found < enough) {
                more = false;
                for (int group = 0; group < groups.length && found < enough; group++) {
                    more |= groups[group] && advance(group);
                }
            }
        }

        /// Goes on to the next candidate of the group; false when it has none left.
        private boolean advance(int group) {
            while (behind[group] < steps) {
                int shelf = shelf(behind[group]);
                int at = index.isEmpty(group, shelf) ? -1 : among.next(group, shelf, from[group]);
                if (at < 0) {
                    behind[group]++;
                    from[group] = 0;
                    continue;
                }
                from[group] = at + 1;
                NodeView node = index.member(at);
                if (!met.get(node.index())) {
                    met.set(node.index());
                    if (taker.take(node)) {
                        found++;
                        heard.set(group);
                        return true;
                    }
                }
            }
            return false;
        }

        private int shelf(int step) {
            if (step < parts) {
                return roomiestFirst ? firstPart + parts - 1 - step : firstPart + step;
            }
            int idle = step - parts;
            return roomiestFirst ? NodeIndex.idle(Gpu.MOST_PER_NODE) - idle : firstIdle + idle;
        }
    }
}
