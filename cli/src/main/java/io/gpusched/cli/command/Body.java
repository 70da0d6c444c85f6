package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Typed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The body of a request, made of what was said and nothing else: defaults are the server's to
/// know.
final class Body {
    private final Map<String, Json> fields = new LinkedHashMap<>();
    private final Typed typed;

    Body(Typed typed) {
        this.typed = typed;
    }

    /// Starts from a whole document, for example one read from a file.
    Body all(Json document) {
        fields.putAll(document.fields());
        return this;
    }

    Body text(String field, Option<String> option) {
        return said(field, option, Json::of);
    }

    Body number(String field, Option<Long> option) {
        return said(field, option, Json::of);
    }

    Body flag(String field, Option<Boolean> option) {
        return said(field, option, Json::of);
    }

    Body list(String field, Option<List<String>> option) {
        return said(field, option, Json::of);
    }

    Body map(String field, Option<Map<String, String>> option) {
        return said(field, option, Json::of);
    }

    /// Sends what `written` makes of an option, if the option was said.
    <T> Body said(String field, Option<T> option, Function<T, Json> written) {
        return typed.has(option) ? put(field, written.apply(typed.of(option))) : this;
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
