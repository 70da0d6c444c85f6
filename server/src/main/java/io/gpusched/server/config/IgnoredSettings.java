package io.gpusched.server.config;

import java.util.List;
import java.util.Locale;

/// Settings that published configuration files contain and that have no effect here. They are
/// accepted with a warning, so that such a file can be used unchanged.
final class IgnoredSettings {
    private static final List<String> PATHS =
            List.of(
                    "agent.node_id",
                    "agent.health_check_interval_ms",
                    "agent.dcgm_enabled",
                    "agent.dcgm_host_port",
                    "agent.container_runtime",
                    "database.max_idle_conns",
                    "database.conn_max_lifetime_mins",
                    "metrics.namespace");
    private static final List<String> SECTIONS = List.of("redis.", "kubernetes.", "telemetry.");

    /// Variables of the published scheduler agent. They have no effect here, because observations
    /// are durable at once in the only store, and this scheduler does not change pods.
    static final List<String> IN_ENVIRONMENT =
            List.of(
                    "SCHEDULER_CHECKPOINT_INTERVAL",
                    "SCHEDULER_ENABLE_MUTATION",
                    "SCHEDULER_REDIS_URL",
                    "SCHEDULER_SQLITE_PATH");

    private IgnoredSettings() {}

    static boolean covers(String path) {
        return PATHS.contains(path) || SECTIONS.stream().anyMatch(path::startsWith);
    }

    static boolean coversVariable(String variable) {
        return PATHS.stream().anyMatch(path -> variable.equals(variable(path)))
                || SECTIONS.stream().anyMatch(section -> variable.startsWith(variable(section)));
    }

    private static String variable(String path) {
        return "GPU_SCHEDULER_" + path.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
