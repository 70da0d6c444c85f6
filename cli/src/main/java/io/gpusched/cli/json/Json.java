package io.gpusched.cli.json;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A JSON value as a fact: immutable, and in the order in which it was written.
///
/// Looking things up is forgiving, because a client meets servers older and newer than itself: what
/// is absent is `Nil`, and every value can say itself as text for a table. Reading is not forgiving
/// at all; see `JsonParser`.
public sealed interface Json {

    /// A string.
    record Text(String value) implements Json {}

    /// A number, kept exactly as it was written so that printing it again changes no digit.
    record Num(String literal) implements Json {}

    /// True or false.
    record Bool(boolean value) implements Json {}

    /// `null`, and also what is found where there is nothing.
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

    /// The value under `key`, or `Nil` where there is none or where this is no object.
    default Json at(String key) {
        return this instanceof Fields(var values) ? values.getOrDefault(key, Nil.NIL) : Nil.NIL;
    }

    /// The first of `keys` that has a value, for fields that go by two names.
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

    /// The elements of an array; none for anything else.
    default List<Json> items() {
        return this instanceof Items(var values) ? values : List.of();
    }

    /// The members of an object; none for anything else.
    default Map<String, Json> fields() {
        return this instanceof Fields(var values) ? values : Map.of();
    }

    /// This value for a person: strings bare, absence empty, arrays and objects on one line.
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

    /// The whole number that this value is, or `otherwise` where it is none that fits.
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
