package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// How a fleet is divided, from wide to narrow. A node's labels tell its place at each level; the
/// last level is always the node itself.
///
///     zone=z1  block=b2  rack=r7  node=n12
///
/// The same name at one level means the same place only inside the same wider place: two blocks
/// may each have a rack `r1`, and they are two racks. So every place lies in one place of each
/// wider level, and tasks that share a rack share its block.
public record TopologyLevels(List<Level> all) {
    /// @param labels the node labels that tell the place, the first that a node carries counts
    public record Level(String name, List<String> labels) {
        public Level {
            labels = List.copyOf(labels);
            Check.that(!name.isEmpty(), "a level has a name");
        }
    }

    /// What people use without being told: the labels of Kubernetes, and plain ones.
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

    /// These levels above that of the node.
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

    /// Which level has the name, 0 being the widest; -1 when none has.
    public int of(String name) {
        for (int level = 0; level < all.size(); level++) {
            if (all.get(level).name().equals(name)) {
                return level;
            }
        }
        return -1;
    }

    /// The node's place at the level; empty when it does not tell.
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
