package io.gpusched.cli.args;

import java.util.List;

/// All that may be said to one command: its name and other names, its options, and the words
/// without a name, of which only the last may be more than one or missing. `examples` are whole
/// lines that help shows.
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

    /// A command with nothing but a name; the methods below say the rest.
    public static Syntax of(String name, String summary) {
        return new Syntax(name, List.of(), summary, List.of(), List.of(), List.of());
    }

    public Syntax alsoCalled(String... others) {
        return new Syntax(name, List.of(others), summary, options, operands, examples);
    }

    public Syntax with(Option<?>... more) {
        return new Syntax(name, aliases, summary, List.of(more), operands, examples);
    }

    public Syntax taking(Operand... words) {
        return new Syntax(name, aliases, summary, options, List.of(words), examples);
    }

    public Syntax examples(String... lines) {
        return new Syntax(name, aliases, summary, options, operands, List.of(lines));
    }
}
