package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.json.Json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Builds the body of a request from the options that were given. Options not given are not sent:
/// the server has the defaults.
final class RequestBody {
    private final Map<String, Json> fields = new LinkedHashMap<>();
    private final ParsedArguments parsedArguments;

    RequestBody(ParsedArguments parsedArguments) {
        this.parsedArguments = parsedArguments;
    }

    /// Starts from a whole document, for example one read from a file.
    RequestBody all(Json document) {
        fields.putAll(document.fields());
        return this;
    }

    RequestBody text(String field, Option<String> option) {
        return value(field, option, Json::of);
    }

    RequestBody number(String field, Option<Long> option) {
        return value(field, option, Json::of);
    }

    RequestBody flag(String field, Option<Boolean> option) {
        return value(field, option, Json::of);
    }

    RequestBody list(String field, Option<List<String>> option) {
        return value(field, option, Json::of);
    }

    RequestBody map(String field, Option<Map<String, String>> option) {
        return value(field, option, Json::of);
    }

    /// Adds the field if the option was given.
    <T> RequestBody value(String field, Option<T> option, Function<T, Json> written) {
        return parsedArguments.has(option)
                ? put(field, written.apply(parsedArguments.of(option)))
                : this;
    }

    RequestBody put(String field, Json value) {
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
