package io.gpusched.cli.json;

import java.util.Iterator;
import java.util.Map;

/// Writes JSON on one line for requests, or indented for people; `JsonParser` reads both.
public final class JsonWriter {
    private final StringBuilder out = new StringBuilder();
    private final boolean indented;

    private JsonWriter(boolean indented) {
        this.indented = indented;
    }

    public static String onOneLine(Json value) {
        return new JsonWriter(false).written(value);
    }

    public static String indented(Json value) {
        return new JsonWriter(true).written(value);
    }

    /// `text` in double quotes, escaped.
    static String quoted(String text) {
        var writer = new JsonWriter(false);
        writer.string(text);
        return writer.out.toString();
    }

    private String written(Json value) {
        append(value, 0);
        return out.toString();
    }

    private void append(Json value, int level) {
        switch (value) {
            case Json.Text(var text) -> string(text);
            case Json.Items(var values) -> array(values.iterator(), level);
            case Json.Fields(var values) -> object(values.entrySet().iterator(), level);
            case Json.Nil _ -> out.append("null");
            case Json.Num _, Json.Bool _ -> out.append(value.text());
        }
    }

    private void array(Iterator<Json> values, int level) {
        out.append('[');
        boolean any = values.hasNext();
        while (values.hasNext()) {
            line(level + 1);
            append(values.next(), level + 1);
            out.append(values.hasNext() ? "," : "");
        }
        close(']', any, level);
    }

    private void object(Iterator<Map.Entry<String, Json>> fields, int level) {
        out.append('{');
        boolean any = fields.hasNext();
        while (fields.hasNext()) {
            var field = fields.next();
            line(level + 1);
            string(field.getKey());
            out.append(indented ? ": " : ":");
            append(field.getValue(), level + 1);
            out.append(fields.hasNext() ? "," : "");
        }
        close('}', any, level);
    }

    private void close(char bracket, boolean any, int level) {
        if (any) {
            line(level);
        }
        out.append(bracket);
    }

    private void line(int level) {
        if (indented) {
            out.append('\n').append("  ".repeat(level));
        }
    }

    private void string(String text) {
        out.append('"');
        text.codePoints().forEach(this::character);
        out.append('"');
    }

    private void character(int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (mustBeEscaped(c)) {
                    out.append('\\').append('u').append(hex(c));
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }

    /// Control characters, because a terminal interprets them, and unpaired surrogates, because
    /// UTF-8 cannot encode them.
    private static boolean mustBeEscaped(int c) {
        return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
    }

    private static String hex(int c) {
        return Integer.toHexString(0x10000 | c).substring(1);
    }
}
