package io.gpusched.cli.args;

import java.util.IdentityHashMap;
import java.util.List;

/// A parsed command line: the values of the options that were given, and the operands.
public final class ParsedArguments {
    private final IdentityHashMap<Option<?>, Object> values = new IdentityHashMap<>();
    private List<String> operands = List.of();
    private int beforeDashes;

    ParsedArguments() {}

    public boolean has(Option<?> option) {
        return values.containsKey(option);
    }

    /// The given value, or the option's unset value: false, empty or zero.
    public <T> T of(Option<T> option) {
        return or(option, option.unset());
    }

    /// The given value, or `otherwise`.
    @SuppressWarnings("unchecked") // only put() enters values, each under an option of its type
    public <T> T or(Option<T> option, T otherwise) {
        return (T) values.getOrDefault(option, otherwise);
    }

    /// The operand at `index`; empty if that operand is optional and was not given.
    public String operand(int index) {
        return index < operands.size() ? operands.get(index) : "";
    }

    public List<String> operands() {
        return operands;
    }

    /// The operands before `--`, or all of them if there is no `--`.
    public List<String> beforeDashes() {
        return operands.subList(0, beforeDashes);
    }

    <T> void put(Option<T> option, String text) {
        values.put(option, option.read(of(option), text));
    }

    void operands(List<String> all, int before) {
        operands = List.copyOf(all);
        beforeDashes = before;
    }
}
