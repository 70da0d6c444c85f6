package io.gpusched.cli.args;

import java.util.ArrayList;
import java.util.List;

/// Help, as lines: how a command is written, what may be said to it, and examples.
public final class UsageText {
    private static final int COLUMN = 26;

    private UsageText() {}

    /// Help for one command, with the options that every command has.
    public static List<String> of(String program, Syntax syntax, List<Option<?>> global) {
        var lines = new ArrayList<String>();
        lines.add("Usage: " + program + " " + syntax.name() + written(syntax));
        lines.add(syntax.summary());
        if (!syntax.aliases().isEmpty()) {
            lines.add("Also called: " + String.join(", ", syntax.aliases()));
        }
        lines.add("");
        syntax.operands().forEach(o -> lines.add(row("  " + o.label(), o.help())));
        addOptions(lines, "Options:", syntax.options());
        addOptions(lines, "Options of every command:", global);
        if (!syntax.examples().isEmpty()) {
            lines.add("");
            syntax.examples().forEach(lines::add);
        }
        return lines;
    }

    /// Help for the program as a whole.
    public static List<String> of(
            String program, String summary, List<Syntax> commands, List<Option<?>> global) {
        var lines = new ArrayList<String>();
        lines.add("Usage: " + program + " [OPTIONS] COMMAND ...");
        lines.add(summary);
        lines.add("");
        lines.add("Commands:");
        commands.forEach(command -> lines.add(row("  " + command.name(), command.summary())));
        addOptions(lines, "Options of every command:", global);
        lines.add("");
        lines.add("Exit codes: 0 done, 1 refused or failed, 2 wrong usage.");
        lines.add("Help for one command: " + program + " COMMAND --help");
        return lines;
    }

    private static String written(Syntax syntax) {
        var line = new StringBuilder();
        if (!syntax.options().isEmpty()) {
            line.append(" [OPTIONS]");
        }
        syntax.options().stream()
                .filter(Option::isRequired)
                .forEach(o -> line.append(' ').append(o.longName()).append(' ').append(o.label()));
        syntax.operands().forEach(operand -> line.append(' ').append(operand.written()));
        return line.toString();
    }

    private static void addOptions(List<String> lines, String title, List<Option<?>> options) {
        if (!options.isEmpty()) {
            if (!lines.getLast().isEmpty()) {
                lines.add("");
            }
            lines.add(title);
            options.forEach(option -> lines.add(row(head(option), option.help())));
        }
    }

    private static String head(Option<?> option) {
        String names = String.join(", ", option.names());
        String indent = option.names().getFirst().startsWith("--") ? "      " : "  ";
        return indent + names + (option.isFlag() ? "" : " " + option.label());
    }

    private static String row(String head, String text) {
        String gap = head.length() < COLUMN - 1 ? " ".repeat(COLUMN - head.length()) : "  ";
        return head + gap + text;
    }
}
