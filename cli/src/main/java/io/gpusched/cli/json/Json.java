package io.gpusched.cli.json;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// An immutable JSON value; objects keep the order of their keys.
///
/// Look-ups are lenient, because servers may be older or newer than the client: an absent value is
/// `Nil`, and every value has a text for a table. Parsing is strict; see `JsonParser`.
public sealed interface Json {

    /// A string.
    record Text(String value) implements Json {}

    /// A number, kept exactly as it was written so that printing it again changes no digit.
    record Num(String literal) implements Json {}

    /// True or false.
    record Bool(boolean value) implements Json {}

    /// `null`, and the result of looking up an absent value.
    enum Nil implements Json {
        NIL
    }

    /// An array.
    record Items(List<Json> values) implements Json {
        public Items {
            values = List.copyOf(values);
        }
    }

    /// An object; the order of its keys is kept.
    record Fields(Map<String, Json> values) implements Json {
        public Fields {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    static Json of(String value) {
        return new Text(value);
    }

    static Json of(long value) {
        return new Num(Long.toString(value));
    }

    static Json of(BigDecimal value) {
        return new Num(value.toPlainString());
    }

    static Json of(boolean value) {
        return new Bool(value);
    }

    static Json of(List<String> values) {
        return new Items(values.stream().map(Json::of).toList());
    }

    static Json of(Map<String, String> values) {
        var fields = new LinkedHashMap<String, Json>();
        values.forEach((key, value) -> fields.put(key, new Text(value)));
        return new Fields(fields);
    }

    /// The value of `key`; `Nil` if there is none or if this is not an object.
    default Json at(String key) {
        return this instanceof Fields(var values) ? values.getOrDefault(key, Nil.NIL) : Nil.NIL;
    }

    /// The first of `keys` that has a value, for fields with two names.
    default Json firstOf(String... keys) {
        for (String key : keys) {
            if (!at(key).isNil()) {
                return at(key);
            }
        }
        return Nil.NIL;
    }

    default boolean isNil() {
        return this == Nil.NIL;
    }

    /// The elements of an array; empty for any other value.
    default List<Json> items() {
        return this instanceof Items(var values) ? values : List.of();
    }

    /// The members of an object; empty for any other value.
    default Map<String, Json> fields() {
        return this instanceof Fields(var values) ? values : Map.of();
    }

    /// Text for a table: strings without quotes, absent values empty, arrays and objects on one
    /// line.
    default String text() {
        return switch (this) {
            case Text(var value) -> value;
            case Num(var literal) -> literal;
            case Bool(var value) -> Boolean.toString(value);
            case Nil _ -> "";
            case Items(var values) ->
                    values.stream().map(Json::text).collect(Collectors.joining(","));
            case Fields(var values) ->
                    values.entrySet().stream()
                            .map(field -> field.getKey() + "=" + field.getValue().text())
                            .collect(Collectors.joining(","));
        };
    }

    /// This value as a `long`; `otherwise` if it is not a number or does not fit.
    default long number(long otherwise) {
        if (!(this instanceof Num(var literal))) {
            return otherwise;
        }
        try {
            return Long.parseLong(literal);
        } catch (NumberFormatException notPlain) {
            return ofDecimal(literal, otherwise);
        }
    }

    private static long ofDecimal(String literal, long otherwise) {
        var decimal = new BigDecimal(literal);
        boolean fits = decimal.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return fits ? decimal.longValue() : otherwise;
    }
}
