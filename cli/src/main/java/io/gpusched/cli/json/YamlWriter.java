package io.gpusched.cli.json;

import java.util.Locale;
import java.util.Set;

/// Writes a value as YAML in block style, for reading and for diffs.
///
/// A string that a YAML parser could read as another type (number, boolean, date, comment) is put
/// in double quotes, where YAML has the same syntax as JSON.
public final class YamlWriter {
    private static final Set<String> WORDS =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "~");
    private static final String PLAIN_START =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/";
    private static final String PLAIN = PLAIN_START + "0123456789.-+@ ";

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    public static String write(Json value) {
        var writer = new YamlWriter();
        writer.append(value, 0);
        return writer.out.toString();
    }

    private void append(Json value, int level) {
        switch (value) {
            case Json.Fields(var fields) when !fields.isEmpty() ->
                    fields.forEach((key, field) -> line(level, scalar(key) + ":", field));
            case Json.Items(var items) when !items.isEmpty() ->
                    items.forEach(item -> line(level, "-", item));
            default -> out.append(leaf(value)).append('\n');
        }
    }

    private void line(int level, String head, Json value) {
        out.append("  ".repeat(level)).append(head);
        boolean block = !value.fields().isEmpty() || !value.items().isEmpty();
        if (block) {
            out.append('\n');
            append(value, level + 1);
        } else {
            out.append(' ').append(leaf(value)).append('\n');
        }
    }

    private static String leaf(Json value) {
        return switch (value) {
            case Json.Text(var text) -> scalar(text);
            case Json.Num _, Json.Bool _ -> value.text();
            case Json.Nil _ -> "null";
            case Json.Items _ -> "[]";
            case Json.Fields _ -> "{}";
        };
    }

    private static String scalar(String text) {
        return isPlain(text) ? text : JsonWriter.quoted(text);
    }

    private static boolean isPlain(String text) {
        return !text.isEmpty()
                && PLAIN_START.indexOf(text.charAt(0)) >= 0
                && text.chars().allMatch(c -> PLAIN.indexOf(c) >= 0)
                && !text.endsWith(" ")
                && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    }
}
