package io.gpusched.server.config;

import java.time.Duration;
import java.util.List;

/// What agents are told about the rhythm of their conversation with the server.
public record AgentSection(Duration heartbeat, Duration metrics, Duration lease) {

    static final Setting<Long> HEARTBEAT =
            Setting.count(
                    "agent.heartbeat_interval_ms",
                    5000,
                    10,
                    600_000,
                    "milliseconds",
                    "How often an agent says that it is alive.");
    static final Setting<Long> METRICS =
            Setting.count(
                    "agent.metrics_interval_ms",
                    10_000,
                    10,
                    600_000,
                    "milliseconds",
                    "How often an agent reports what it measures.");
    static final Setting<Long> LEASE =
            Setting.count(
                    "agent.lease_seconds",
                    600,
                    1,
                    7 * 24 * 3600,
                    "seconds",
                    "How long tasks go on without word from the server; then agents end them.");
    static final List<Setting<?>> KEYS = List.of(HEARTBEAT, METRICS, LEASE);

    static AgentSection from(SettingValues settingValues) {
        return new AgentSection(
                Duration.ofMillis(settingValues.of(HEARTBEAT)),
                Duration.ofMillis(settingValues.of(METRICS)),
                Duration.ofSeconds(settingValues.of(LEASE)));
    }
}
