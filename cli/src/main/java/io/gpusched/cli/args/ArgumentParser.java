package io.gpusched.cli.args;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Reads words by the customs of Unix.
///
///     --name value   --name=value   -n value   -nvalue   -ab (two flags)   -- (end of options)
///
/// Options and operands may be mixed, except that all words after the first of a command to run
/// belong to that command. The word after an option that wants a value is its value, unless it is
/// itself the name of an option: then a value was forgotten.
public final class ArgumentParser {
    private final List<Option<?>> options = new ArrayList<>();
    private final Deque<String> words;
    private final ParsedArguments parsedArguments = new ParsedArguments();

    public ArgumentParser(List<String> words, List<Option<?>> options) {
        this.words = new ArrayDeque<>(words);
        this.options.addAll(options);
    }

    /// Takes options up to the first word that is none, and gives that word: the name of a command.
    /// Empty where there is no such word.
    public String command() {
        while (!words.isEmpty() && isOption(words.element())) {
            option(words.remove());
        }
        return words.isEmpty() ? "" : words.remove();
    }

    /// Takes the rest as said to a command of this syntax.
    public ParsedArguments rest(Syntax syntax) {
        options.addAll(0, syntax.options());
        boolean command = syntax.operands().stream().anyMatch(Operand::isCommand);
        var operands = new ArrayList<String>();
        int loose = 0;
        while (!words.isEmpty()) {
            String word = words.remove();
            if (word.equals("--") && !(command && loose > 1)) {
                operands.addAll(words);
                words.clear();
            } else if (isOption(word) && !(command && loose > 0)) {
                option(word);
            } else {
                operands.add(word);
                loose++;
            }
        }
        parsedArguments.operands(operands, loose);
        return parsedArguments;
    }

    /// What was typed so far; final once `rest` was called.
    public ParsedArguments parsedArguments() {
        return parsedArguments;
    }

    /// Refuses what is not enough or too much for `syntax`. Apart from reading, because a person
    /// who asks for help need not be complete.
    public static void check(Syntax syntax, ParsedArguments parsedArguments) {
        int count = parsedArguments.operands().size();
        int least = syntax.operands().stream().mapToInt(Operand::least).sum();
        if (count < least) {
            throw new UsageError("missing " + syntax.operands().get(count).label());
        }
        long most = syntax.operands().stream().mapToLong(Operand::most).sum();
        if (count > most) {
            throw new UsageError(
                    "one word too many: '" + parsedArguments.operand((int) most) + "'");
        }
        for (Option<?> option : syntax.options()) {
            if (option.isRequired() && !parsedArguments.has(option)) {
                throw new UsageError("missing option " + option.longName() + " " + option.label());
            }
        }
    }

    /// A dash alone means standard input, and a dash before a digit is a negative number.
    private static boolean isOption(String word) {
        return word.length() > 1
                && word.charAt(0) == '-'
                && !(word.charAt(1) >= '0' && word.charAt(1) <= '9');
    }

    private void option(String word) {
        if (!word.startsWith("--")) {
            cluster(word.substring(1));
            return;
        }
        int equal = word.indexOf('=');
        String name = equal < 0 ? word : word.substring(0, equal);
        Option<?> option = named(name);
        if (option == null) {
            throw new UsageError("unknown option " + name + meant(name, name));
        }
        if (option.isFlag() && equal >= 0) {
            throw new UsageError("option " + name + " takes no value");
        }
        enter(
                option,
                option.isFlag() ? "" : equal < 0 ? following(option) : word.substring(equal + 1));
    }

    private void cluster(String letters) {
        for (int i = 0; i < letters.length(); i++) {
            String name = "-" + letters.charAt(i);
            Option<?> option = named(name);
            if (option == null) {
                throw new UsageError("unknown option " + name + meant(name, "--" + letters));
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
        String next = words.peek();
        if (next == null || named(next) != null) {
            throw new UsageError(
                    "option %s needs a value: %s %s"
                            .formatted(option.longName(), option.longName(), option.label()));
        }
        return words.remove();
    }

    private void enter(Option<?> option, String value) {
        try {
            parsedArguments.put(option, value);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError("option " + option.longName() + ": " + wrong.getMessage());
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

    /// What to write instead of an unknown option, or what is nearest in letters to `word`.
    private String meant(String name, String word) {
        String slurm = SlurmOptions.advice(name, names());
        return slurm.isEmpty() ? NearestWord.suggestion(word, names()) : slurm;
    }

    private List<String> names() {
        return options.stream().map(Option::longName).toList();
    }
}
