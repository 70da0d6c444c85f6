package io.gpusched.cli.args;

import java.util.List;

/// The syntax of one command: its name and aliases, its options and its operands. Optional operands
/// come last, and only the last one may be repeated.
///
/// @param examples whole lines that help prints as they are
public record Syntax(
        String name,
        List<String> aliases,
        String summary,
        List<Option<?>> options,
        List<Operand> operands,
        List<String> examples) {

    public Syntax {
        aliases = List.copyOf(aliases);
        options = List.copyOf(options);
        operands = List.copyOf(operands);
        examples = List.copyOf(examples);
    }

    /// A command without options and operands; the methods below add them.
    public static Syntax of(String name, String summary) {
        return new Syntax(name, List.of(), summary, List.of(), List.of(), List.of());
    }

    public Syntax alsoCalled(String... others) {
        return new Syntax(name, List.of(others), summary, options, operands, examples);
    }

    public Syntax with(Option<?>... more) {
        return new Syntax(name, aliases, summary, List.of(more), operands, examples);
    }

    public Syntax taking(Operand... more) {
        return new Syntax(name, aliases, summary, options, List.of(more), examples);
    }

    public Syntax examples(String... lines) {
        return new Syntax(name, aliases, summary, options, operands, List.of(lines));
    }
}
