package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Everything that can be set, as it is in force. Made once, at start, and never changed.
///
/// @param environment a name for people, shown at start: development, production
/// @param dataDir holds the SQLite files and the tokens
/// @param written all settings in force as YAML, secrets left out
/// @param remarks what a person should hear about how they wrote it
public record Config(
        String environment,
        Path dataDir,
        SchedulerSection scheduler,
        PlacementSection placement,
        TopologySection topology,
        LearningSection learning,
        DatabaseSection database,
        RetentionSection retention,
        AgentSection agent,
        ApiSection api,
        MetricsSection metrics,
        LogSection log,
        String written,
        List<String> remarks) {

    static final Key<String> ENVIRONMENT =
            Key.text("environment", "development", "A name for this installation.");
    static final Key<String> DATA_DIR =
            Key.text("data_dir", "data", "The directory of the SQLite files and the tokens.");

    /// Every setting there is, in the order of the shipped file.
    public static final List<Key<?>> KEYS =
            Stream.of(
                            List.<Key<?>>of(ENVIRONMENT, DATA_DIR),
                            PlacementSection.TOP,
                            SchedulerSection.KEYS,
                            PlacementSection.OF_SCHEDULER,
                            PlacementSection.KEYS,
                            TopologySection.KEYS,
                            LearningSection.KEYS,
                            DatabaseSection.KEYS,
                            RetentionSection.KEYS,
                            AgentSection.KEYS,
                            ApiSection.KEYS,
                            MetricsSection.KEYS,
                            LogSection.KEYS)
                    .<Key<?>>flatMap(List::stream)
                    .toList();

    public Config {
        remarks = List.copyOf(remarks);
    }

    static Config from(Values values, List<String> remarks) {
        Path dataDir = Path.of(values.of(DATA_DIR));
        Ports.checkApart(values);
        DatabaseSection database = DatabaseSection.from(values, dataDir);
        ApiSection api = ApiSection.from(values);
        Map<Key<?>, Object> resolved =
                Map.of(
                        DatabaseSection.DRIVER,
                        database.postgres() ? "postgres" : "sqlite",
                        ApiSection.RATE_LIMIT,
                        api.rateLimit());
        return new Config(
                values.of(ENVIRONMENT),
                dataDir,
                SchedulerSection.from(values),
                PlacementSection.from(values, dataDir),
                TopologySection.from(values),
                LearningSection.from(values),
                database,
                RetentionSection.from(values, dataDir),
                AgentSection.from(values),
                api,
                MetricsSection.from(values),
                LogSection.from(values),
                WrittenConfig.of(values, resolved),
                remarks);
    }
}
