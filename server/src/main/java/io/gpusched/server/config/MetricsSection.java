package io.gpusched.server.config;

import java.util.List;

/// Where measurements are shown. They are on the REST port too.
///
/// @param open whether they are shown without a token; they name nodes
public record MetricsSection(boolean enabled, int port, String path, boolean open) {

    static final Key<Boolean> ENABLED =
            Key.flag("metrics.enabled", true, "Whether measurements are taken and shown.");
    static final Key<Long> PORT =
            Key.port("metrics.port", 9091, "Their own port; 0 takes a free one.");
    static final Key<String> PATH =
            Key.text("metrics.path", "/metrics", "The path they are shown at.");
    static final Key<Boolean> PUBLIC =
            Key.flag(
                    "metrics.public",
                    false,
                    "Whether they are shown without a token where all else needs one.");
    static final List<Key<?>> KEYS = List.of(ENABLED, PORT, PATH, PUBLIC);

    static MetricsSection from(Values values) {
        String path = values.of(PATH);
        if (!path.matches("/[A-Za-z0-9/_.-]*")) {
            throw new ConfigFault(
                    "metrics.path (%s): expected a path like /metrics, found \"%s\""
                            .formatted(values.where(PATH), path));
        }
        return new MetricsSection(values.of(ENABLED), values.number(PORT), path, values.of(PUBLIC));
    }
}
