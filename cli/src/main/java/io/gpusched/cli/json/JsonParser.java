package io.gpusched.cli.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Parses one JSON document; text after the document is an error.
///
/// Strict where other parsers are lenient: a repeated key, leading zeros, control characters inside
/// strings, and nesting deeper than `DEPTH` are errors. Two parsers that read such a document
/// differently would show the user something that the server did not mean. Every error is a
/// `JsonFault`; no input causes another exception.
public final class JsonParser {
    /// Deep enough for every answer of the server, shallow enough for any stack.
    public static final int DEPTH = 100;

    private final String text;
    private int at;
    private int depth;

    private JsonParser(String text) {
        this.text = text;
    }

    public static Json read(String text) {
        var reader = new JsonParser(text);
        reader.skipBlanks();
        Json value = reader.value();
        reader.skipBlanks();
        if (reader.at < text.length()) {
            throw reader.fault("the end of the document");
        }
        return value;
    }

    private Json value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new Json.Text(string());
            case 't' -> word("true", Json.of(true));
            case 'f' -> word("false", Json.of(false));
            case 'n' -> word("null", Json.Nil.NIL);
            default -> number();
        };
    }

    private Json object() {
        open();
        var fields = new LinkedHashMap<String, Json>();
        for (boolean first = true; !closes('}', first); first = false) {
            if (peek() != '"') {
                throw fault("a key in double quotes");
            }
            int start = at;
            String key = string();
            if (fields.containsKey(key)) {
                at = start;
                throw fault("a key that this object does not have yet");
            }
            skipBlanks();
            take(':');
            skipBlanks();
            fields.put(key, value());
            skipBlanks();
        }
        depth--;
        return new Json.Fields(fields);
    }

    private Json array() {
        open();
        var values = new ArrayList<Json>();
        for (boolean first = true; !closes(']', first); first = false) {
            values.add(value());
            skipBlanks();
        }
        depth--;
        return new Json.Items(values);
    }

    private void open() {
        if (++depth > DEPTH) {
            throw fault("no more than " + DEPTH + " levels of nesting");
        }
        at++;
        skipBlanks();
    }

    /// Skips the closing bracket, or the comma before the next element.
    private boolean closes(char bracket, boolean first) {
        if (peek() == bracket) {
            at++;
            return true;
        }
        if (!first) {
            if (peek() != ',') {
                throw fault("',' or '" + bracket + "'");
            }
            at++;
            skipBlanks();
        }
        return false;
    }

    private String string() {
        at++;
        int start = at;
        while (peek() != '"' && peek() != '\\' && peek() >= ' ') {
            at++;
        }
        if (peek() == '"') {
            return text.substring(start, at++);
        }
        var built = new StringBuilder(text.substring(start, at));
        while (peek() != '"') {
            if (peek() < ' ') {
                throw fault("a character that may stand in a string");
            }
            built.append(peek() == '\\' ? escaped() : text.charAt(at++));
        }
        at++;
        return built.toString();
    }

    private char escaped() {
        at++;
        char named = peek();
        at++;
        return switch (named) {
            case '"', '\\', '/' -> named;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw fault("one of \" \\ / b f n r t u after a backslash");
            }
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++, at++) {
            int digit = peek() < 128 ? Character.digit(peek(), 16) : -1;
            if (digit < 0) {
                throw fault("four hexadecimal digits after \\u");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Json number() {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        return new Json.Num(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw fault("a value");
        }
    }

    private Json word(String word, Json value) {
        if (!text.startsWith(word, at)) {
            throw fault("a value");
        }
        at += word.length();
        return value;
    }

    private boolean skip(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void take(char c) {
        if (!skip(c)) {
            throw fault("'" + c + "'");
        }
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw fault("more");
        }
        return text.charAt(at);
    }

    private JsonFault fault(String expected) {
        String found = at >= text.length() ? "the end" : shown(text.charAt(at));
        String before = text.substring(0, Math.min(at, text.length()));
        long line = before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return new JsonFault(
                "line %d, column %d: expected %s, found %s"
                        .formatted(line, column, expected, found));
    }

    private static String shown(char c) {
        return c > ' ' && c < 127 ? "'" + c + "'" : "the character U+%04X".formatted((int) c);
    }
}
