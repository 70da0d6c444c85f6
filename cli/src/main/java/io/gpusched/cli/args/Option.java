package io.gpusched.cli.args;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/// A named option of a command, and how its argument is converted to a value.
///
/// Options are compared by identity: the constant that declares an option is the key of its value
/// in `ParsedArguments`. If an option is given twice, the last value counts; `texts` and `pairs`
/// collect all values.
public final class Option<T> {
    private final List<String> names;
    private final String label;
    private final String help;
    private final T unset;
    private final BiFunction<T, String, T> reader;
    private final boolean required;

    private Option(
            List<String> names,
            String label,
            String help,
            T unset,
            BiFunction<T, String, T> reader,
            boolean required) {
        this.names = names;
        this.label = label;
        this.help = help;
        this.unset = unset;
        this.reader = reader;
        this.required = required;
    }

    /// An option without a value.
    public static Option<Boolean> flag(String names, String help) {
        return new Option<>(split(names), "", help, false, (_, _) -> true, false);
    }

    /// Any text.
    public static Option<String> text(String names, String label, String help) {
        return single(names, label, help, "", text -> text);
    }

    /// A whole number.
    public static Option<Long> whole(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::whole);
    }

    /// A whole number that is not negative.
    public static Option<Long> count(String names, String label, String help) {
        return single(names, label, help, 0L, Option::parseCount);
    }

    /// A number, with a decimal point where it needs one.
    public static Option<BigDecimal> decimal(String names, String label, String help) {
        return single(names, label, help, BigDecimal.ZERO, Quantities::decimal);
    }

    /// An amount of memory, in megabytes.
    public static Option<Long> memory(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::megabytes);
    }

    /// A duration in whole seconds: `30`, or with units as `1m30s`.
    public static Option<Long> seconds(String names, String label, String help) {
        return single(names, label, help, 0L, Quantities::seconds);
    }

    /// A duration.
    public static Option<Duration> span(String names, String label, String help) {
        return single(names, label, help, Duration.ZERO, Quantities::span);
    }

    /// A list of texts; each use of the option adds one.
    public static Option<List<String>> texts(String names, String label, String help) {
        return new Option<>(split(names), label, help, List.of(), Option::append, false);
    }

    /// A map; each use of the option adds one `KEY=VALUE`.
    public static Option<Map<String, String>> pairs(String names, String help) {
        return new Option<>(split(names), "KEY=VALUE", help, Map.of(), Option::putPair, false);
    }

    /// A value that `reader` parses. It may throw `IllegalArgumentException` with a message of the
    /// form "expected ..., found ...".
    public static <T> Option<T> single(
            String names, String label, String help, T unset, Function<String, T> reader) {
        return new Option<>(
                split(names), label, help, unset, (_, text) -> reader.apply(text), false);
    }

    /// The same option, but a command line without it is an error.
    public Option<T> required() {
        return new Option<>(names, label, help, unset, reader, true);
    }

    public List<String> names() {
        return names;
    }

    /// What stands for the value in help, such as `N`; empty for a flag.
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

    /// The long name, for messages.
    public String longName() {
        return names.getLast();
    }

    /// The value of an option that was not given.
    T unset() {
        return unset;
    }

    T read(T before, String text) {
        return reader.apply(before, text);
    }

    private static long parseCount(String text) {
        long count = Quantities.whole(text);
        if (count < 0) {
            throw new IllegalArgumentException("expected 0 or more, found '" + text + "'");
        }
        return count;
    }

    private static List<String> append(List<String> before, String text) {
        var all = new ArrayList<>(before);
        all.add(text);
        return List.copyOf(all);
    }

    private static Map<String, String> putPair(Map<String, String> before, String text) {
        int equal = text.indexOf('=');
        if (equal < 1) {
            throw new IllegalArgumentException("expected KEY=VALUE, found '" + text + "'");
        }
        var all = new LinkedHashMap<>(before);
        all.put(text.substring(0, equal), text.substring(equal + 1));
        return all;
    }

    private static List<String> split(String names) {
        return List.of(names.split(" "));
    }
}
