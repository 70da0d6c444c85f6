package io.gpusched.core.engine;

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

    /// More wishes than this would leave each of them hardly a candidate.
    private static final int MOST_WISHES = 8;

    private static final int MOST_REMEMBERED = 10_000;

    private final ClusterState state;
    private final int breadth;
    private final boolean roomiestFirst;
    private final List<Weighted> scorers;
    private final Map<Wish, BitSet> granted = new LinkedHashMap<>();
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

    void gather(Job job, Shape shape, Suited suited, Taker taker) {
        met.clear();
        found = 0;
        if (suited.count() > 1) {
            favourites(job, shape, suited, taker);
        }
        walk(shape, suited.numbers(), suited.count(), breadth, taker);
    }

    /// Where all nodes are described alike there is nothing to favour.
    private void favourites(Job job, Shape shape, Suited suited, Taker taker) {
        List<BitSet> wished = wished(job);
        int most = breadth / 2;
        int rest = wished.size();
        for (BitSet groups : wished) {
            var both = (BitSet) groups.clone();
            both.and(suited.numbers());
            int until = found + (most - found) / rest--;
            walk(shape, both, both.cardinality(), until, taker);
        }
    }

    /// The groups that carry what scorers wish for, a set for each wish that any group grants.
    private List<BitSet> wished(Job job) {
        long version = state.nodeIndex().version();
        if (version != grantedVersion || granted.size() > MOST_REMEMBERED) {
            granted.clear();
            grantedVersion = version;
        }
        var wished = new ArrayList<BitSet>();
        for (Weighted weighted : scorers) {
            for (Wish wish : weighted.scorer().wishes(job, state)) {
                BitSet groups = granted.computeIfAbsent(wish, this::grants);
                if (!groups.isEmpty() && wished.size() < MOST_WISHES) {
                    wished.add(groups);
                }
            }
        }
        return wished;
    }

    private BitSet grants(Wish wish) {
        NodeIndex index = state.nodeIndex();
        var groups = new BitSet();
        for (int group = 0; group < index.groups(); group++) {
            NodeView sample = index.sample(group);
            groups.set(group, sample != null && wish.isGrantedBy(sample.facts().labels()));
        }
        return groups;
    }

    /// Shares look for GPUs already shared before they break into an idle one, slices likewise.
    private void walk(Shape shape, BitSet groups, int heard, int until, Taker taker) {
        int most = NodeIndex.idle(Gpu.MOST_PER_NODE);
        int each = Math.max(1, (until - found + heard - 1) / Math.max(1, heard));
        var walk = new Walk(groups, each, until, taker);
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

    /// One walk among some groups. Every group is heard on each shelf, so that one large group does
    /// not hide the others.
    private final class Walk {
        private final BitSet groups;
        private final int each;
        private final int until;
        private final Taker taker;

        Walk(BitSet groups, int each, int until, Taker taker) {
            this.groups = groups;
            this.each = each;
            this.until = until;
            this.taker = taker;
        }

        void along(int first, int last) {
            for (int step = 0; step <= last - first && found < until; step++) {
                int shelf = roomiestFirst ? last - step : first + step;
                for (int group = next(shelf, 0);
                        group >= 0 && found < until;
                        group = next(shelf, group + 1)) {
                    take(group, shelf);
                }
            }
        }

        /// The next group that is among ours and has nodes on the shelf.
        private int next(int shelf, int from) {
            NodeIndex index = state.nodeIndex();
            int group = index.nextGroup(shelf, from);
            while (group >= 0 && !groups.get(group)) {
                int ours = groups.nextSetBit(group);
                group = ours < 0 ? -1 : index.nextGroup(shelf, ours);
            }
            return group;
        }

        private void take(int group, int shelf) {
            NodeIndex index = state.nodeIndex();
            int most = Math.min(until, found + each);
            for (int at = index.next(group, shelf, 0);
                    at >= 0 && found < most;
                    at = index.next(group, shelf, at + 1)) {
                NodeView node = index.member(group, at);
                if (!met.get(node.index())) {
                    met.set(node.index());
                    found += taker.take(node) ? 1 : 0;
                }
            }
        }
    }
}
