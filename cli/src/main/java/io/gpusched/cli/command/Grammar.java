package io.gpusched.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import java.util.List;
import java.util.Objects;

/// Puts together what may be typed: the options of the root and the commands below it.
public final class Grammar {
    private Grammar() {}

    /// The grammar for these words alone: the commands that are among them, which is one as a rule.
    /// Where none is, or one that speaks about all others, it is the whole grammar.
    public static CommandLine forWords(Object root, List<String> words) {
        List<String> named = words.stream().filter(w -> Catalogue.named(w) != null).toList();
        boolean all = named.isEmpty() || named.stream().anyMatch(Catalogue::needsAll);
        return all ? whole(root) : of(root, named);
    }

    public static CommandLine whole(Object root) {
        return of(root, Catalogue.NAMES);
    }

    private static CommandLine of(Object root, List<String> names) {
        var grammar = new CommandLine(root);
        for (String name : names) {
            var command = new CommandLine(Objects.requireNonNull(Catalogue.named(name)));
            String official = command.getCommandName();
            command.getCommandSpec().usageMessage().abbreviateSynopsis(true).sortOptions(false);
            if (!grammar.getSubcommands().containsKey(official)) {
                grammar.addSubcommand(official, command);
            }
        }
        grammar.registerConverter(Long.class, new Quantities.Whole());
        grammar.setCaseInsensitiveEnumValuesAllowed(true);
        grammar.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        grammar.setUsageHelpWidth(100);
        return grammar;
    }
}
