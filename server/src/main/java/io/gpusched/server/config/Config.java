package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The whole configuration in force. It is read once, at the start, and never changes.
///
/// @param environment a name for operators, shown at the start: development, production
/// @param dataDir holds the SQLite files and the tokens
/// @param written all settings in force as YAML, without secrets
/// @param remarks warnings about the configuration files, variables and flags
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
        AuthSection auth,
        MetricsSection metrics,
        AlertsSection alerts,
        LogSection log,
        String written,
        List<String> remarks) {

    static final Setting<String> ENVIRONMENT =
            Setting.text("environment", "development", "A name for this installation.");
    static final Setting<String> DATA_DIR =
            Setting.text("data_dir", "data", "The directory of the SQLite files and the tokens.");

    /// Every setting there is, in the order of the shipped file.
    public static final List<Setting<?>> KEYS =
            Stream.of(
                            List.<Setting<?>>of(ENVIRONMENT, DATA_DIR),
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
                            AuthSection.KEYS,
                            MetricsSection.KEYS,
                            AlertsSection.KEYS,
                            LogSection.KEYS)
                    .<Setting<?>>flatMap(List::stream)
                    .toList();

    public Config {
        remarks = List.copyOf(remarks);
    }

    static Config from(SettingValues settingValues, List<String> remarks) {
        Path dataDir = Path.of(settingValues.of(DATA_DIR));
        PortAdvice.checkApart(settingValues);
        DatabaseSection database = DatabaseSection.from(settingValues, dataDir);
        ApiSection api = ApiSection.from(settingValues);
        Map<Setting<?>, Object> resolved =
                Map.of(
                        DatabaseSection.DRIVER,
                        database.postgres() ? "postgres" : "sqlite",
                        ApiSection.RATE_LIMIT,
                        api.rateLimit());
        return new Config(
                settingValues.of(ENVIRONMENT),
                dataDir,
                SchedulerSection.from(settingValues),
                PlacementSection.from(settingValues, dataDir),
                TopologySection.from(settingValues),
                LearningSection.from(settingValues),
                database,
                RetentionSection.from(settingValues, dataDir),
                AgentSection.from(settingValues),
                api,
                AuthSection.from(settingValues),
                MetricsSection.from(settingValues),
                AlertsSection.from(settingValues),
                LogSection.from(settingValues),
                ConfigWriter.of(settingValues, resolved),
                remarks);
    }
}
