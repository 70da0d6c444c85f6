package io.gpusched.server.config;

import java.net.BindException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Says of a port that cannot be had how to have another.
public final class PortAdvice {
    private PortAdvice() {}

    /// Two of our own listeners cannot share a port; the start would say that somebody else has it.
    static void checkApart(SettingValues settingValues) {
        var keys = new ArrayList<>(List.of(ApiSection.HTTP_PORT, ApiSection.GRPC_PORT));
        if (settingValues.of(MetricsSection.ENABLED)) {
            keys.add(MetricsSection.PORT);
        }
        var taken = new LinkedHashMap<Long, Setting<Long>>();
        for (Setting<Long> setting : keys) {
            long port = settingValues.of(setting);
            Setting<Long> other = port == 0 ? null : taken.putIfAbsent(port, setting);
            if (other != null) {
                throw new ConfigException(
                        "%s (%s): %d is %s too (%s); choose another, 0 takes a free one"
                                .formatted(
                                        setting.path(),
                                        settingValues.where(setting),
                                        port,
                                        other.path(),
                                        settingValues.where(other)));
            }
        }
    }

    /// What to tell when listening failed.
    ///
    /// @param flag with which another port is chosen
    public static IllegalArgumentException refused(
            String host, int port, String flag, Throwable why) {
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return new IllegalArgumentException(
                        ("port %d of %s cannot be had (%s): stop what listens there, or choose"
                                        + " another with %s; 0 takes a free one")
                                .formatted(port, host, cause.getMessage(), flag),
                        why);
            }
        }
        return new IllegalArgumentException(
                "cannot listen on port %d of %s (%s); choose another with %s"
                        .formatted(port, host, why.getMessage(), flag),
                why);
    }
}
