package io.gpusched.server.config;

import java.time.Duration;
import java.util.List;

/// The intervals that the server gives to its agents.
public record AgentSection(Duration heartbeat, Duration metrics, Duration lease) {

    static final Setting<Long> HEARTBEAT =
            Setting.count(
                    "agent.heartbeat_interval_ms",
                    5000,
                    10,
                    600_000,
                    "milliseconds",
                    "Interval between two heartbeats of an agent.");
    static final Setting<Long> METRICS =
            Setting.count(
                    "agent.metrics_interval_ms",
                    10_000,
                    10,
                    600_000,
                    "milliseconds",
                    "Interval between two telemetry reports of an agent.");
    static final Setting<Long> LEASE =
            Setting.count(
                    "agent.lease_seconds",
                    600,
                    1,
                    7 * 24 * 3600,
                    "seconds",
                    "How long tasks keep running without contact to the server; then agents stop"
                            + " them.");
    static final List<Setting<?>> KEYS = List.of(HEARTBEAT, METRICS, LEASE);

    static AgentSection from(SettingValues settingValues) {
        return new AgentSection(
                Duration.ofMillis(settingValues.of(HEARTBEAT)),
                Duration.ofMillis(settingValues.of(METRICS)),
                Duration.ofSeconds(settingValues.of(LEASE)));
    }
}
