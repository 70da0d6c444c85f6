package io.gpusched.server.config;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// The values that were written for settings, by path. A later layer (file, environment, flags)
/// replaces an earlier one.
final class SettingValues {
    /// @param where the place for messages: `line 7 of config.yaml`, `--http-port`
    record Written(String text, String where) {}

    private final Map<String, Written> written = new LinkedHashMap<>();

    private final Map<String, String> empty = new LinkedHashMap<>();

    /// Records a key or section without a value. It sets nothing, but its spelling is checked too.
    void leaveEmpty(String path, String where) {
        empty.put(path, where);
    }

    /// The place of each key or section without a value.
    Map<String, String> empty() {
        return Collections.unmodifiableMap(empty);
    }

    void put(String path, String text, String where) {
        written.put(path, new Written(text, where));
    }

    Set<String> paths() {
        return written.keySet();
    }

    boolean has(Setting<?> setting) {
        return written.containsKey(setting.path());
    }

    String where(Setting<?> setting) {
        return where(setting.path());
    }

    String where(String path) {
        Written found = written.get(path);
        return found == null ? "by default" : found.where();
    }

    <T> T of(Setting<T> setting) {
        @Nullable Written found = written.get(setting.path());
        if (found == null) {
            return setting.usual();
        }
        try {
            return setting.form().read(found.text());
        } catch (ConfigException fault) {
            throw new ConfigException(
                    "%s (%s): %s. It is: %s"
                            .formatted(
                                    setting.path(),
                                    found.where(),
                                    setting.secret()
                                            ? "its value is not usable"
                                            : fault.getMessage(),
                                    setting.sentence()),
                    fault);
        }
    }

    /// Applies `reader` to each item. Error messages name the key.
    <T> List<T> each(Setting<List<ListItem>> setting, Function<ListItem, T> reader) {
        try {
            return of(setting).stream().map(reader).toList();
        } catch (ConfigException fault) {
            throw new ConfigException(
                    "%s (%s): %s".formatted(setting.path(), where(setting), fault.getMessage()),
                    fault);
        }
    }

    int number(Setting<Long> setting) {
        return Math.toIntExact(of(setting));
    }
}
