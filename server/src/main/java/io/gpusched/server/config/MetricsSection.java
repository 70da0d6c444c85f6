package io.gpusched.server.config;

import java.util.List;

/// Where metrics are served. The REST port serves them too.
///
/// @param open whether they are served without a token; they name nodes
public record MetricsSection(boolean enabled, int port, String path, boolean open) {

    static final Setting<Boolean> ENABLED =
            Setting.flag("metrics.enabled", true, "Whether metrics are served.");
    static final Setting<Long> PORT =
            Setting.port(
                    "metrics.port", 9091, "Port that serves only metrics; 0 takes a free one.");
    static final Setting<String> PATH =
            Setting.text("metrics.path", "/metrics", "Path of the metrics.");
    static final Setting<Boolean> PUBLIC =
            Setting.flag(
                    "metrics.public",
                    false,
                    "Whether metrics are served without a token when all else needs one.");
    static final List<Setting<?>> KEYS = List.of(ENABLED, PORT, PATH, PUBLIC);

    static MetricsSection from(SettingValues settingValues) {
        String path = settingValues.of(PATH);
        if (!path.matches("/[A-Za-z0-9/_.-]*")) {
            throw new ConfigException(
                    "metrics.path (%s): expected a path like /metrics, found \"%s\""
                            .formatted(settingValues.where(PATH), path));
        }
        return new MetricsSection(
                settingValues.of(ENABLED),
                settingValues.number(PORT),
                path,
                settingValues.of(PUBLIC));
    }
}
