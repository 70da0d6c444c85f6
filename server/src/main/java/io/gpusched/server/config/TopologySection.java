package io.gpusched.server.config;

import io.gpusched.core.model.Levels;
import io.gpusched.core.model.Near;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// How the fleet is divided into zones, blocks and racks.
public record TopologySection(Levels levels) {
    static final Key<List<String>> LEVELS =
            new Key<>(
                    "topology.levels",
                    TopologySection::read,
                    Levels.DEFAULT.all().stream()
                            .filter(level -> !level.name().equals(Near.NODE))
                            .map(level -> level.name() + "=" + String.join("|", level.labels()))
                            .toList(),
                    "",
                    "How nodes are grouped, wide to narrow, and by which labels; node comes last.",
                    "",
                    false);
    static final List<Key<?>> KEYS = List.of(LEVELS);

    static TopologySection from(Values values) {
        var levels = new ArrayList<Levels.Level>();
        for (String text : values.of(LEVELS)) {
            int equal = text.indexOf('=');
            List<String> labels = List.of(text.substring(equal + 1).split("\\|"));
            levels.add(new Levels.Level(text.substring(0, equal), labels));
        }
        return new TopologySection(Levels.of(levels));
    }

    private static List<String> read(String text) {
        var levels = new ArrayList<String>();
        var names = new LinkedHashSet<String>(List.of(Near.NODE));
        for (String part : text.split(",")) {
            String level = part.strip();
            if (level.isEmpty()) {
                continue;
            }
            if (!level.matches("[a-z][a-z0-9-]*=[^=|\\s]+(\\|[^=|\\s]+)*")) {
                throw new ConfigFault(
                        "expected levels such as rack=example.com/rack|rack, found \""
                                + level
                                + '"');
            }
            if (!names.add(level.substring(0, level.indexOf('=')))) {
                throw new ConfigFault(
                        "expected each level once and not node, which is always there, found \""
                                + level
                                + "\" as well");
            }
            levels.add(level);
        }
        return levels;
    }
}
