package io.gpusched.cli.args;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Something that may be said by name, and how its words become a value.
///
/// An option is known by identity: the constant that declares it is the key that finds its value in
/// `ParsedArguments`. Said twice, the last word counts, except for those that collect.
public final class Option<T> {
    private final List<String> names;
    private final String label;
    private final String help;
    private final T nothing;
    private final BiFunction<T, String, T> reader;
    private final boolean required;

    private Option(
            List<String> names,
            String label,
            String help,
            T nothing,
            BiFunction<T, String, T> reader,
            boolean required) {
        this.names = names;
        this.label = label;
        this.help = help;
        this.nothing = nothing;
        this.reader = reader;
        this.required = required;
    }

    /// Yes or no; takes no value.
    public static Option<Boolean> flag(String names, String help) {
        return new Option<>(split(names), "", help, false, (_, _) -> true, false);
    }

    /// Any text.
    public static Option<String> text(String names, String label, String help) {
        return single(names, label, help, "", typed -> typed);
    }

    /// A whole number.
    public static Option<Long> whole(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::whole);
    }

    /// A whole number that is not negative.
    public static Option<Long> count(String names, String label, String help) {
        return single(names, label, help, 0L, Option::counted);
    }

    /// A number, with a decimal point where it needs one.
    public static Option<BigDecimal> decimal(String names, String label, String help) {
        return single(names, label, help, BigDecimal.ZERO, Quantities::decimal);
    }

    /// An amount of memory, in megabytes.
    public static Option<Long> memory(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::megabytes);
    }

    /// A length of time in whole seconds: `30`, or with units as `1m30s`.
    public static Option<Long> seconds(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::seconds);
    }

    /// A length of time.
    public static Option<Duration> span(String names, String label, String help) {
        return single(names, label, help, Duration.ZERO, Quantities::span);
    }

    /// Texts, one each time it is said.
    public static Option<List<String>> texts(String names, String label, String help) {
        return new Option<>(split(names), label, help, List.of(), Option::appended, false);
    }

    /// `KEY=VALUE`, one each time it is said.
    public static Option<Map<String, String>> pairs(String names, String help) {
        return new Option<>(split(names), "KEY=VALUE", help, Map.of(), Option::entered, false);
    }

    /// A value that `reader` makes of the text; it may throw `IllegalArgumentException` with a
    /// sentence of the form "expected ..., found ...".
    public static <T> Option<T> single(
            String names, String label, String help, T nothing, Function<String, T> reader) {
        return new Option<>(
                split(names), label, help, nothing, (_, typed) -> reader.apply(typed), false);
    }

    /// The same, but it must be said.
    public Option<T> required() {
        return new Option<>(names, label, help, nothing, reader, true);
    }

    public List<String> names() {
        return names;
    }

    /// What stands for the value in help; empty where there is none.
    public String label() {
        return label;
    }

    String help() {
        return help;
    }

    boolean isFlag() {
        return label.isEmpty();
    }

    boolean isRequired() {
        return required;
    }

    /// The name that is spelled out, for messages.
    public String longName() {
        return names.getLast();
    }

    /// What the option is worth when nobody says it.
    T nothing() {
        return nothing;
    }

    T read(T before, String typed) {
        return reader.apply(before, typed);
    }

    private static long counted(String typed) {
        long count = Quantities.whole(typed);
        if (count < 0) {
            throw new IllegalArgumentException("expected 0 or more, found '" + typed + "'");
        }
        return count;
    }

    private static List<String> appended(List<String> before, String typed) {
        var all = new ArrayList<>(before);
        all.add(typed);
        return List.copyOf(all);
    }

    private static Map<String, String> entered(Map<String, String> before, String typed) {
        int equal = typed.indexOf('=');
        if (equal < 1) {
            throw new IllegalArgumentException("expected KEY=VALUE, found '" + typed + "'");
        }
        var all = new LinkedHashMap<>(before);
        all.put(typed.substring(0, equal), typed.substring(equal + 1));
        return all;
    }

    private static List<String> split(String names) {
        return List.of(names.split(" "));
    }
}
