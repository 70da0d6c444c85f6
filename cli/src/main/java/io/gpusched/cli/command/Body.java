package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The body of a request, made of what was given and nothing else: defaults are the server's to
/// know. What an option does not carry (null, or an empty collection) is not sent.
final class Body {
    private final Map<String, Json> fields = new LinkedHashMap<>();

    /// Starts from a whole document, for example one read from a file.
    Body all(Json document) {
        fields.putAll(document.fields());
        return this;
    }

    Body with(String field, @Nullable String value) {
        return value == null ? this : put(field, Json.of(value));
    }

    Body with(String field, @Nullable Long value) {
        return value == null ? this : put(field, Json.of(value));
    }

    Body with(String field, @Nullable Boolean value) {
        return value == null ? this : put(field, Json.of(value));
    }

    Body with(String field, List<String> values) {
        return values.isEmpty() ? this : put(field, Json.of(values));
    }

    Body with(String field, Map<String, String> values) {
        return values.isEmpty() ? this : put(field, Json.of(values));
    }

    Body put(String field, Json value) {
        fields.put(field, value);
        return this;
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    Json json() {
        return new Json.Fields(fields);
    }
}
