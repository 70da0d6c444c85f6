package io.gpusched.server.config;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// What was written, by path, in layers: a later layer hides an earlier one.
final class Values {
    /// @param where a person finds it there: `line 7 of config.yaml`, `--http-port`
    record Written(String text, String where) {}

    private final Map<String, Written> written = new LinkedHashMap<>();

    private final Map<String, String> empty = new LinkedHashMap<>();

    /// Notes a key or section that stands there without a value. It sets nothing, but a misspelled
    /// one must not pass for that.
    void leaveEmpty(String path, String where) {
        empty.put(path, where);
    }

    /// Where each of those is.
    Map<String, String> empty() {
        return Collections.unmodifiableMap(empty);
    }

    void put(String path, String text, String where) {
        written.put(path, new Written(text, where));
    }

    Set<String> paths() {
        return written.keySet();
    }

    boolean has(Key<?> key) {
        return written.containsKey(key.path());
    }

    String where(Key<?> key) {
        return where(key.path());
    }

    String where(String path) {
        Written found = written.get(path);
        return found == null ? "by default" : found.where();
    }

    <T> T of(Key<T> key) {
        @Nullable Written found = written.get(key.path());
        if (found == null) {
            return key.usual();
        }
        try {
            return key.form().read(found.text());
        } catch (ConfigFault fault) {
            throw new ConfigFault(
                    "%s (%s): %s. It is: %s"
                            .formatted(
                                    key.path(),
                                    found.where(),
                                    key.secret() ? "its value is not usable" : fault.getMessage(),
                                    key.sentence()),
                    fault);
        }
    }

    /// What `reader` makes of each item, with complaints that name the key.
    <T> List<T> each(Key<List<Item>> key, Function<Item, T> reader) {
        try {
            return of(key).stream().map(reader).toList();
        } catch (ConfigFault fault) {
            throw new ConfigFault(
                    "%s (%s): %s".formatted(key.path(), where(key), fault.getMessage()), fault);
        }
    }

    int number(Key<Long> key) {
        return Math.toIntExact(of(key));
    }
}
