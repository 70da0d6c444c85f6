package io.gpusched.core.place;

import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which nodes share a zone, a block, a rack. Computed from labels on first use, and kept until the
/// fleet changes; jobs do not matter here.
public final class TopologyDomains {
    /// A domain is identified by its name and the domain around it.
    private record Key(int around, String name) {}

    /// One level: the domain of each node.
    static final class Level {
        private final int[] paths;
        private final boolean[] named;
        private final List<String> names = new ArrayList<>();

        private Level(int nodes) {
            paths = new int[nodes];
            named = new boolean[nodes];
            Arrays.fill(paths, -1);
        }

        /// An upper bound of the number of domains. They are numbered from 0.
        int size() {
            return names.size();
        }

        /// The domain of the node; -1 when its labels do not name one.
        int of(NodeView node) {
            int at = node.index();
            return at < named.length && named[at] ? paths[at] : -1;
        }

        String name(int place) {
            return names.get(place);
        }
    }

    private final ClusterState state;
    private final TopologyLevels topologyLevels;
    private final @Nullable Level[] known;
    private long version = -1;

    public TopologyDomains(ClusterState state, TopologyLevels topologyLevels) {
        this.state = state;
        this.topologyLevels = topologyLevels;
        this.known = new @Nullable Level[topologyLevels.size()];
    }

    public TopologyLevels topologyLevels() {
        return topologyLevels;
    }

    Level at(int level) {
        if (version != state.nodes().index().version()) {
            Arrays.fill(known, null);
            version = state.nodes().index().version();
        }
        Level found = known[level];
        if (found == null) {
            found = read(level, level == 0 ? null : at(level - 1));
            known[level] = found;
        }
        return found;
    }

    private Level read(int number, @Nullable Level wider) {
        List<NodeView> nodes = state.nodes().all();
        int most = 0;
        for (NodeView node : nodes) {
            most = Math.max(most, node.index() + 1);
        }
        var level = new Level(most);
        Map<Key, Integer> places = new LinkedHashMap<>();
        for (NodeView node : nodes) {
            String name = topologyLevels.place(node.facts(), number);
            var key = new Key(wider == null ? -1 : wider.paths[node.index()], name);
            Integer place = places.get(key);
            if (place == null) {
                place = places.size();
                places.put(key, place);
                level.names.add(name);
            }
            level.paths[node.index()] = place;
            level.named[node.index()] = !name.isEmpty();
        }
        return level;
    }
}
