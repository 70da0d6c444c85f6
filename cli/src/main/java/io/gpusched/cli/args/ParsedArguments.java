package io.gpusched.cli.args;

import java.util.IdentityHashMap;
import java.util.List;

/// What was typed, understood: a value for every option that was said, and the operands.
public final class ParsedArguments {
    private final IdentityHashMap<Option<?>, Object> values = new IdentityHashMap<>();
    private List<String> operands = List.of();
    private int loose;

    ParsedArguments() {}

    public boolean has(Option<?> option) {
        return values.containsKey(option);
    }

    /// The value said, or what the option is worth unsaid: false, empty, zero.
    public <T> T of(Option<T> option) {
        return or(option, option.nothing());
    }

    /// The value said, or `otherwise`.
    @SuppressWarnings("unchecked") // only put() enters values, each under an option of its type
    public <T> T or(Option<T> option, T otherwise) {
        return (T) values.getOrDefault(option, otherwise);
    }

    /// The operand at `index`, or empty where an optional one is missing.
    public String operand(int index) {
        return index < operands.size() ? operands.get(index) : "";
    }

    public List<String> operands() {
        return operands;
    }

    /// The operands that were written before, or without, a `--`.
    public List<String> loose() {
        return operands.subList(0, loose);
    }

    <T> void put(Option<T> option, String word) {
        values.put(option, option.read(of(option), word));
    }

    void operands(List<String> words, int before) {
        operands = List.copyOf(words);
        loose = before;
    }
}
