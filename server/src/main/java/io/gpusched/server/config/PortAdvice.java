package io.gpusched.server.config;

import java.net.BindException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Messages about ports that cannot be opened; each says how to choose another one.
public final class PortAdvice {
    private PortAdvice() {}

    /// Refuses a configuration in which two ports of this server are the same. Without this check,
    /// the start would blame another process.
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

    /// The exception to throw if listening failed.
    ///
    /// @param flag the option that chooses another port
    public static IllegalArgumentException refused(
            String host, int port, String flag, Throwable why) {
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return new IllegalArgumentException(
                        ("port %d of %s is not available (%s): stop what listens there, or choose"
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
