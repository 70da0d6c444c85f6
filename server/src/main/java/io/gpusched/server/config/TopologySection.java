package io.gpusched.server.config;

import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.TopologyLevels;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// How the fleet is divided into zones, blocks and racks.
public record TopologySection(TopologyLevels topologyLevels) {
    static final Setting<List<String>> LEVELS =
            new Setting<>(
                    "topology.levels",
                    TopologySection::read,
                    TopologyLevels.DEFAULT.all().stream()
                            .filter(level -> !level.name().equals(Proximity.NODE))
                            .map(level -> level.name() + "=" + String.join("|", level.labels()))
                            .toList(),
                    "",
                    "How nodes are grouped, wide to narrow, and by which labels; node comes last.",
                    "",
                    false);
    static final List<Setting<?>> KEYS = List.of(LEVELS);

    static TopologySection from(SettingValues settingValues) {
        var levels = new ArrayList<TopologyLevels.Level>();
        for (String text : settingValues.of(LEVELS)) {
            int equal = text.indexOf('=');
            List<String> labels = List.of(text.substring(equal + 1).split("\\|"));
            levels.add(new TopologyLevels.Level(text.substring(0, equal), labels));
        }
        return new TopologySection(TopologyLevels.of(levels));
    }

    private static List<String> read(String text) {
        var levels = new ArrayList<String>();
        var names = new LinkedHashSet<String>(List.of(Proximity.NODE));
        for (String part : text.split(",")) {
            String level = part.strip();
            if (level.isEmpty()) {
                continue;
            }
            if (!level.matches("[a-z][a-z0-9-]*=[^=|\\s]+(\\|[^=|\\s]+)*")) {
                throw new ConfigException(
                        "expected levels such as rack=example.com/rack|rack, found \""
                                + level
                                + '"');
            }
            if (!names.add(level.substring(0, level.indexOf('=')))) {
                throw new ConfigException(
                        "expected each level once and not node, which is always there, found \""
                                + level
                                + "\" as well");
            }
            levels.add(level);
        }
        return levels;
    }
}
