package io.gpusched.cli.args;

import java.util.ArrayList;
import java.util.List;

/// Formats help texts: usage line, operands, options and examples.
public final class UsageText {
    /// Column at which help texts begin.
    private static final int COLUMN = 26;

    private static final int WIDTH = 100;

    private UsageText() {}

    /// Help for one command, with the global options.
    public static List<String> of(String program, Syntax syntax, List<Option<?>> global) {
        var lines = new ArrayList<String>();
        lines.add("Usage: " + program + " " + syntax.name() + usage(syntax));
        lines.add(syntax.summary());
        if (!syntax.aliases().isEmpty()) {
            lines.add("Aliases: " + String.join(", ", syntax.aliases()));
        }
        lines.add("");
        syntax.operands().forEach(o -> lines.addAll(row("  " + o.label(), o.help())));
        addOptions(lines, "Options:", syntax.options());
        addOptions(lines, "Global options:", global);
        if (!syntax.examples().isEmpty()) {
            lines.add("");
            syntax.examples().forEach(lines::add);
        }
        return lines;
    }

    /// Help for the program as a whole.
    public static List<String> of(
            String program,
            String summary,
            List<Syntax> commands,
            List<Option<?>> global,
            List<String> exitCodes) {
        var lines = new ArrayList<String>();
        lines.add("Usage: " + program + " [OPTIONS] COMMAND ...");
        lines.add(summary);
        lines.add("");
        lines.add("Commands:");
        commands.forEach(command -> lines.addAll(row("  " + command.name(), command.summary())));
        addOptions(lines, "Global options:", global);
        lines.add("");
        lines.addAll(exitCodes);
        lines.add("");
        lines.add("Help for one command: " + program + " COMMAND --help");
        return lines;
    }

    private static String usage(Syntax syntax) {
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
            options.forEach(option -> lines.addAll(row(head(option), option.help())));
        }
    }

    private static String head(Option<?> option) {
        String names = String.join(", ", option.names());
        String indent = option.names().getFirst().startsWith("--") ? "      " : "  ";
        return indent + names + (option.isFlag() ? "" : " " + option.label());
    }

    /// The head and, from `COLUMN` on, the text, wrapped at `WIDTH`. A long head is a line by
    /// itself.
    private static List<String> row(String head, String text) {
        var rows = new ArrayList<String>();
        var line = new StringBuilder(head);
        if (head.length() > COLUMN - 2) {
            rows.add(head);
            line.setLength(0);
        }
        pad(line);
        for (String word : text.split(" ")) {
            if (line.length() > COLUMN && line.length() + 1 + word.length() > WIDTH) {
                rows.add(line.toString());
                line.setLength(0);
                pad(line);
            }
            line.append(line.length() == COLUMN ? "" : " ").append(word);
        }
        rows.add(line.toString());
        return rows;
    }

    private static void pad(StringBuilder line) {
        line.repeat(' ', COLUMN - line.length());
    }
}
