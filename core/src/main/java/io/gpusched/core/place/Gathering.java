package io.gpusched.core.place;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Weighted;
import io.gpusched.core.policy.Wish;
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
/// It walks the shelves from the fullest nodes that could do to the emptiest, or the other way for
/// a policy that likes room, and stops when there are enough candidates. Up to half of them are
/// taken first from among the nodes that scorers wish for, so that a cached model or a low price is
/// not missed because other nodes came earlier on the shelves.
final class Gathering {
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
    private final List<Weighted> scorers;
    private final Map<Wish, NodeIndex.Carriers> granted = new LinkedHashMap<>();

    /// Nodes met in this search: one with shared and idle GPUs is on two shelves.
    private final BitSet met = new BitSet();

    private long grantedVersion = -1;
    private int found;

    Gathering(ClusterState state, Policy policy) {
        this.state = state;
        this.breadth = policy.breadth();
        this.scorers = policy.scorers();
        boolean room = false;
        for (Weighted weighted : scorers) {
            room |= weighted.scorer().likesRoom();
        }
        this.roomiestFirst = room;
    }

    void gather(Job job, Shape shape, Search.Suitable suits, Taker taker) {
        NodeIndex index = state.nodeIndex();
        met.clear();
        found = 0;
        favourites(job, shape, suits, taker);
        Among all = (group, shelf, from) -> suits.next(index, group, shelf, from);
        walk(shape, suits.groups, all, breadth, taker);
    }

    /// Every wish gets its part of half of the candidates, and what earlier ones left of theirs.
    private void favourites(Job job, Shape shape, Search.Suitable suits, Taker taker) {
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
            walk(shape, groups, some, Math.min(until, breadth), taker);
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
        for (Weighted weighted : scorers) {
            for (Wish wish : weighted.scorer().wishes(job, state)) {
                NodeIndex.Carriers carriers =
                        granted.computeIfAbsent(wish, w -> index.carrying(w::isGrantedBy));
                if (wished.size() < MOST_WISHES && !carriers.isEmpty()) {
                    wished.add(carriers);
                }
            }
        }
        return wished;
    }

    /// Shares look for GPUs already shared before they break into an idle one, slices likewise.
    private void walk(Shape shape, boolean[] groups, Among among, int until, Taker taker) {
        int heard = 0;
        for (boolean one : groups) {
            heard += one ? 1 : 0;
        }
        int most = NodeIndex.idle(Gpu.MOST_PER_NODE);
        int each = Math.max(1, (until - found + heard - 1) / Math.max(1, heard));
        var walk = new Walk(groups, among, each, until, taker);
        switch (shape.gpus()) {
            case GpuRequest.None none -> walk.along(NodeIndex.idle(0), most);
            case GpuRequest.Whole whole -> walk.along(NodeIndex.idle(whole.count()), most);
            case GpuRequest.Share share -> {
                walk.along(NodeIndex.shared(share.milli()), NodeIndex.shared(1000));
                walk.along(NodeIndex.idle(1), most);
            }
            case GpuRequest.Slice slice -> {
                walk.along(NodeIndex.sliced(), NodeIndex.sliced());
                walk.along(NodeIndex.idle(1), most);
            }
        }
    }

    /// One walk among some nodes. Every group is heard on each shelf, so that one large group does
    /// not hide the others.
    private final class Walk {
        private final boolean[] groups;
        private final Among among;
        private final int each;
        private final int until;
        private final Taker taker;

        Walk(boolean[] groups, Among among, int each, int until, Taker taker) {
            this.groups = groups;
            this.among = among;
            this.each = each;
            this.until = until;
            this.taker = taker;
        }

        void along(int first, int last) {
            NodeIndex index = state.nodeIndex();
            for (int step = 0; step <= last - first && found < until; step++) {
                int shelf = roomiestFirst ? last - step : first + step;
                for (int group = 0; group < groups.length; group++) {
                    if (groups[group] && !index.isEmpty(group, shelf)) {
                        take(group, shelf);
                    }
                }
            }
        }

        private void take(int group, int shelf) {
            int most = Math.min(until, found + each);
            for (int at = among.next(group, shelf, 0);
                    at >= 0 && found < most;
                    at = among.next(group, shelf, at + 1)) {
                NodeView node = state.nodeIndex().member(group, at);
                if (!met.get(node.index())) {
                    met.set(node.index());
                    found += taker.take(node) ? 1 : 0;
                }
            }
        }
    }
}
