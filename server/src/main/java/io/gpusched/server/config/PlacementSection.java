package io.gpusched.server.config;

import io.gpusched.core.engine.Placers;
import io.gpusched.core.model.Market;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.ScoreWeights;

import java.nio.file.Path;
import java.util.List;

/// Where tasks go: the way to choose, its weights, prices, and rules from plug-ins.
///
/// @param pluginsDir holds the jars of plug-ins; need not exist where none is used
/// @param markets what capacity costs
public record PlacementSection(
        PlacementSettings placement,
        List<PluginUse> plugins,
        Path pluginsDir,
        List<Market> markets) {

    static final Key<String> PLUGINS_DIR =
            Key.text(
                    "plugins_dir",
                    "",
                    "The folder with jars of plug-ins; `plugins` beside the data directory when"
                            + " empty.");
    static final Key<List<Item>> MARKETS =
            Key.items(
                    "markets",
                    "What nodes with a label cost, each {label, value, dollars_per_gpu_hour, spot,"
                            + " grams_per_kwh}.");
    static final Key<String> PLACEMENT =
            Key.oneOf(
                    "scheduler.placement",
                    "best-fit",
                    Placers.NAMES,
                    "How places are chosen: " + String.join(", ", Placers.NAMES) + ".");
    static final Key<List<Item>> PLUGINS =
            Key.items(
                    "scheduler.plugins",
                    "Filters and scorers from plug-ins to use, each {name, weight}.");
    static final Key<Long> MOST_SCORED =
            Key.count(
                    "scoring.max_nodes_to_score",
                    0,
                    0,
                    1_000_000,
                    "nodes",
                    "How many nodes are scored for a task, more where it could go to more kinds of"
                            + " nodes; 0 for as many as the placement"
                            + " needs, 50 for five-term.");
    static final Key<Double> AVAILABILITY =
            weight("availability", 30, "What is free on the node counts so much in five-term.");
    static final Key<Double> TOPOLOGY =
            weight("topology", 25, "How fast its GPUs talk to each other counts so much.");
    static final Key<Double> MODEL_CACHE =
            weight("model_cache", 20, "Having the job's model already counts so much.");
    static final Key<Double> COST = weight("cost", 15, "Being cheap counts so much.");
    static final Key<Double> DATA_LOCALITY =
            weight("data_locality", 10, "Being close to the job's data counts so much.");

    static final List<Key<?>> TOP = List.of(PLUGINS_DIR, MARKETS);
    static final List<Key<?>> OF_SCHEDULER = List.of(PLACEMENT, PLUGINS);
    static final List<Key<?>> KEYS =
            List.of(MOST_SCORED, AVAILABILITY, TOPOLOGY, MODEL_CACHE, COST, DATA_LOCALITY);

    public PlacementSection {
        plugins = List.copyOf(plugins);
        markets = List.copyOf(markets);
    }

    private static Key<Double> weight(String name, double usual, String sentence) {
        return Key.decimal("scoring." + name, usual, 0, 1e6, "", sentence);
    }

    static PlacementSection from(Values values, Path dataDir) {
        var weights =
                new ScoreWeights(
                        values.of(AVAILABILITY),
                        values.of(TOPOLOGY),
                        values.of(MODEL_CACHE),
                        values.of(COST),
                        values.of(DATA_LOCALITY));
        String fault = weights.fault();
        if (fault != null) {
            throw new ConfigFault("scoring: " + fault);
        }
        String folder = values.of(PLUGINS_DIR);
        return new PlacementSection(
                new PlacementSettings(
                        values.of(PLACEMENT), weights, values.number(MOST_SCORED), false),
                values.each(PLUGINS, PlacementSection::plugin),
                folder.isEmpty()
                        ? dataDir.toAbsolutePath().resolveSibling("plugins")
                        : Path.of(folder),
                values.each(MARKETS, PlacementSection::market));
    }

    private static PluginUse plugin(Item item) {
        item.only(List.of("name", "weight"));
        return new PluginUse(item.text("name"), item.decimal("weight", 1));
    }

    private static Market market(Item item) {
        item.only(List.of("label", "value", "dollars_per_gpu_hour", "spot", "grams_per_kwh"));
        item.text("dollars_per_gpu_hour");
        return new Market(
                item.text("label"),
                item.text("value"),
                Math.round(item.decimal("dollars_per_gpu_hour", 0) * 1e6),
                (int) item.decimal("grams_per_kwh", 0),
                item.flag("spot"));
    }
}
