package io.gpusched.cli.args;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Parses a command line by the Unix conventions.
///
///     --name value   --name=value   -n value   -nvalue   -ab (two flags)   -- (end of options)
///
/// Options and operands may be mixed. The exception is a command to run: every argument after its
/// first word belongs to that command. The argument after an option that takes a value is its
/// value, unless it is the name of an option: then the value is missing, which is an error.
public final class ArgumentParser {
    private final List<Option<?>> options = new ArrayList<>();
    private final Deque<String> arguments;
    private final ParsedArguments parsedArguments = new ParsedArguments();

    public ArgumentParser(List<String> arguments, List<Option<?>> options) {
        this.arguments = new ArrayDeque<>(arguments);
        this.options.addAll(options);
    }

    /// Parses options up to the first argument that is not an option, and returns that argument:
    /// the name of a command. Empty if there is none.
    public String command() {
        while (!arguments.isEmpty() && isOption(arguments.element())) {
            option(arguments.remove());
        }
        return arguments.isEmpty() ? "" : arguments.remove();
    }

    /// Parses the remaining arguments by the syntax of a command.
    public ParsedArguments rest(Syntax syntax) {
        options.addAll(0, syntax.options());
        boolean command = syntax.operands().stream().anyMatch(Operand::isCommand);
        var operands = new ArrayList<String>();
        int beforeDashes = 0;
        while (!arguments.isEmpty()) {
            String argument = arguments.remove();
            if (argument.equals("--") && !(command && beforeDashes > 1)) {
                operands.addAll(arguments);
                arguments.clear();
            } else if (isOption(argument) && !(command && beforeDashes > 0)) {
                option(argument);
            } else {
                operands.add(argument);
                beforeDashes++;
            }
        }
        parsedArguments.operands(operands, beforeDashes);
        return parsedArguments;
    }

    /// The arguments parsed so far; complete after `rest`.
    public ParsedArguments parsedArguments() {
        return parsedArguments;
    }

    /// Throws if operands or required options are missing, or if there are too many operands.
    /// Separate from parsing, because `--help` must work on an incomplete command line.
    public static void check(Syntax syntax, ParsedArguments parsedArguments) {
        int count = parsedArguments.operands().size();
        int least = syntax.operands().stream().mapToInt(Operand::least).sum();
        if (count < least) {
            throw new UsageError("missing " + syntax.operands().get(count).label());
        }
        long most = syntax.operands().stream().mapToLong(Operand::most).sum();
        if (count > most) {
            throw new UsageError(
                    "unexpected argument '" + parsedArguments.operand((int) most) + "'");
        }
        for (Option<?> option : syntax.options()) {
            if (option.isRequired() && !parsedArguments.has(option)) {
                throw new UsageError("missing option " + option.longName() + " " + option.label());
            }
        }
    }

    /// A dash alone means standard input; a dash before a digit is a negative number.
    private static boolean isOption(String argument) {
        return argument.length() > 1
                && argument.charAt(0) == '-'
                && !(argument.charAt(1) >= '0' && argument.charAt(1) <= '9');
    }

    private void option(String argument) {
        if (!argument.startsWith("--")) {
            cluster(argument.substring(1));
            return;
        }
        int equal = argument.indexOf('=');
        String name = equal < 0 ? argument : argument.substring(0, equal);
        Option<?> option = named(name);
        if (option == null) {
            throw new UsageError("unknown option " + name + advice(name, name));
        }
        if (option.isFlag() && equal >= 0) {
            throw new UsageError("option " + name + " takes no value");
        }
        enter(
                option,
                option.isFlag()
                        ? ""
                        : equal < 0 ? following(option) : argument.substring(equal + 1));
    }

    private void cluster(String letters) {
        for (int i = 0; i < letters.length(); i++) {
            String name = "-" + letters.charAt(i);
            Option<?> option = named(name);
            if (option == null) {
                throw new UsageError("unknown option " + name + advice(name, "--" + letters));
            }
            if (!option.isFlag()) {
                String rest = letters.substring(i + 1);
                String attached = rest.startsWith("=") ? rest.substring(1) : rest;
                enter(option, rest.isEmpty() ? following(option) : attached);
                return;
            }
            enter(option, "");
        }
    }

    private String following(Option<?> option) {
        String next = arguments.peek();
        if (next == null || named(next) != null) {
            throw new UsageError(
                    "option %s needs a value: %s %s"
                            .formatted(option.longName(), option.longName(), option.label()));
        }
        return arguments.remove();
    }

    private void enter(Option<?> option, String value) {
        try {
            parsedArguments.put(option, value);
        } catch (IllegalArgumentException invalid) {
            throw new UsageError("option " + option.longName() + ": " + invalid.getMessage());
        }
    }

    private @Nullable Option<?> named(String name) {
        for (Option<?> option : options) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }

    /// Advice about an unknown option: our name for an option of Slurm, or the nearest spelling.
    private String advice(String name, String argument) {
        String slurm = SlurmOptions.advice(name, names());
        return slurm.isEmpty() ? NearestWord.suggestion(argument, names()) : slurm;
    }

    private List<String> names() {
        return options.stream().map(Option::longName).toList();
    }
}
