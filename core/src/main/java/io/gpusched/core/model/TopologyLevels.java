package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The topology levels of a fleet, from wide to narrow. A node's labels name its domain at each
/// level; the last level is always the node itself.
///
///     zone=z1  block=b2  rack=r7  node=n12
///
/// A name at one level means the same domain only inside the same wider domain: two blocks may each
/// have a rack `r1`, and they are two racks. So every domain lies in one domain of each wider
/// level, and tasks that share a rack share its block.
public record TopologyLevels(List<Level> all) {
    /// @param labels the node labels that name the domain; the first one that a node carries counts
    public record Level(String name, List<String> labels) {
        public Level {
            labels = List.copyOf(labels);
            Check.that(!name.isEmpty(), "a level has a name");
        }
    }

    /// The default levels: the labels of Kubernetes, and plain ones.
    public static final TopologyLevels DEFAULT =
            TopologyLevels.of(
                    List.of(
                            new Level("zone", List.of("topology.kubernetes.io/zone", "zone")),
                            new Level("block", List.of("topology.kubernetes.io/block", "block")),
                            new Level("rack", List.of("topology.kubernetes.io/rack", "rack"))));

    public TopologyLevels {
        all = List.copyOf(all);
        Check.that(
                !all.isEmpty() && all.getLast().name().equals(Proximity.NODE),
                "the last level is the node, found %s",
                all);
        Check.that(
                new LinkedHashSet<>(all.stream().map(Level::name).toList()).size() == all.size(),
                "each level has a name of its own, found %s",
                all);
    }

    /// These levels, with the node as the last.
    public static TopologyLevels of(List<Level> aboveNodes) {
        var all = new ArrayList<>(aboveNodes);
        all.add(new Level(Proximity.NODE, List.of("kubernetes.io/hostname")));
        return new TopologyLevels(all);
    }

    public int size() {
        return all.size();
    }

    public List<String> names() {
        return all.stream().map(Level::name).toList();
    }

    /// The index of the level with this name, 0 being the widest; -1 when there is none.
    public int of(String name) {
        for (int level = 0; level < all.size(); level++) {
            if (all.get(level).name().equals(name)) {
                return level;
            }
        }
        return -1;
    }

    /// The node's domain at the level; empty when no label names it.
    public String place(Node node, int level) {
        if (level == all.size() - 1) {
            return node.id().name();
        }
        for (String label : all.get(level).labels()) {
            String place = node.labels().value(label);
            if (!place.isEmpty()) {
                return place;
            }
        }
        return "";
    }
}
