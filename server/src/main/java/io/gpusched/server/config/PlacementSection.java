package io.gpusched.server.config;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.model.Market;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.ScoreWeights;

import java.nio.file.Path;
import java.util.List;

/// How tasks are placed: the placement strategy, its weights, prices, and rules from plug-ins.
///
/// @param pluginsDir holds the jars of plug-ins; need not exist if none is used
/// @param markets prices of capacity
public record PlacementSection(
        PlacementSettings placement,
        List<PluginSetting> plugins,
        Path pluginsDir,
        List<Market> markets) {

    static final Setting<String> PLUGINS_DIR =
            Setting.text(
                    "plugins_dir",
                    "",
                    "The directory with jars of plug-ins; `plugins` beside the data directory when"
                            + " empty.");
    static final Setting<List<ListItem>> MARKETS =
            Setting.items(
                    "markets",
                    "Prices of nodes with a label, each {label, value, dollars_per_gpu_hour, spot,"
                            + " grams_per_kwh}.");
    static final Setting<String> PLACEMENT =
            Setting.oneOf(
                    "scheduler.placement",
                    "best-fit",
                    PlacementStrategies.NAMES,
                    "Placement strategy: " + String.join(", ", PlacementStrategies.NAMES) + ".");
    static final Setting<List<ListItem>> PLUGINS =
            Setting.items(
                    "scheduler.plugins",
                    "Filters and scorers from plug-ins to use, each {name, weight}.");
    static final Setting<Long> MOST_SCORED =
            Setting.count(
                    "scoring.max_nodes_to_score",
                    0,
                    0,
                    1_000_000,
                    "nodes",
                    "Number of nodes that are scored for a task; more if it fits more kinds of"
                        + " nodes. 0 for the strategy's own number, which is 50 for five-term.");
    static final Setting<Double> AVAILABILITY =
            weight("availability", 30, "Weight of free capacity on the node, in five-term.");
    static final Setting<Double> TOPOLOGY =
            weight("topology", 25, "Weight of the bandwidth between the GPUs.");
    static final Setting<Double> MODEL_CACHE =
            weight("model_cache", 20, "Weight of a node that already has the job's model.");
    static final Setting<Double> COST = weight("cost", 15, "Weight of a low price.");
    static final Setting<Double> DATA_LOCALITY =
            weight("data_locality", 10, "Weight of being close to the job's data.");

    static final List<Setting<?>> TOP = List.of(PLUGINS_DIR, MARKETS);
    static final List<Setting<?>> OF_SCHEDULER = List.of(PLACEMENT, PLUGINS);
    static final List<Setting<?>> KEYS =
            List.of(MOST_SCORED, AVAILABILITY, TOPOLOGY, MODEL_CACHE, COST, DATA_LOCALITY);

    public PlacementSection {
        plugins = List.copyOf(plugins);
        markets = List.copyOf(markets);
    }

    private static Setting<Double> weight(String name, double usual, String sentence) {
        return Setting.decimal("scoring." + name, usual, 0, 1e6, "", sentence);
    }

    static PlacementSection from(SettingValues settingValues, Path dataDir) {
        var weights =
                new ScoreWeights(
                        settingValues.of(AVAILABILITY),
                        settingValues.of(TOPOLOGY),
                        settingValues.of(MODEL_CACHE),
                        settingValues.of(COST),
                        settingValues.of(DATA_LOCALITY));
        String fault = weights.fault();
        if (fault != null) {
            throw new ConfigException("scoring: " + fault);
        }
        String folder = settingValues.of(PLUGINS_DIR);
        return new PlacementSection(
                new PlacementSettings(
                        settingValues.of(PLACEMENT),
                        weights,
                        settingValues.number(MOST_SCORED),
                        false),
                settingValues.each(PLUGINS, PlacementSection::plugin),
                folder.isEmpty()
                        ? dataDir.toAbsolutePath().resolveSibling("plugins")
                        : Path.of(folder),
                settingValues.each(MARKETS, PlacementSection::market));
    }

    private static PluginSetting plugin(ListItem listItem) {
        listItem.only(List.of("name", "weight"));
        return new PluginSetting(listItem.text("name"), listItem.decimal("weight", 1));
    }

    private static Market market(ListItem listItem) {
        listItem.only(List.of("label", "value", "dollars_per_gpu_hour", "spot", "grams_per_kwh"));
        listItem.text("dollars_per_gpu_hour");
        return new Market(
                listItem.text("label"),
                listItem.text("value"),
                Math.round(listItem.decimal("dollars_per_gpu_hour", 0) * 1e6),
                (int) listItem.decimal("grams_per_kwh", 0),
                listItem.flag("spot"));
    }
}
