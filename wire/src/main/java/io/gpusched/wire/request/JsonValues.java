package io.gpusched.wire.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/// Parses one JSON text for [JsonReader], and knows the current field for error messages.
final class JsonValues {
    private static final Pattern PLACE =
            Pattern.compile("\\[Source: [^;]*; line: (\\d+), column: (\\d+)]");
    private static final Pattern SETTING =
            Pattern.compile(
                    "(,? from|: enable)? ?`[^`]*`( to allow.*)?| \\(not recognized [^)]*\\)");

    private final JsonParser parser;

    /// Path of the current field, such as `command[1]`. An element is removed only after it was
    /// read completely, so that after an error the path names the field.
    private final StringBuilder path = new StringBuilder();

    JsonValues(JsonParser parser) {
        this.parser = parser;
    }

    /// The single value of the text.
    JsonTree all() throws IOException {
        try {
            if (parser.nextToken() == null) {
                throw new MalformedException("expected a JSON object, found nothing", null, "");
            }
            JsonTree jsonTree = value();
            if (parser.nextToken() != null) {
                throw malformed("unexpected text after the end of the value");
            }
            return jsonTree;
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String where =
                    at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new MalformedException(
                    "not valid JSON" + where + ": " + firstLine(e), e, path.toString());
        }
    }

    private JsonTree value() throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping();
            case START_ARRAY -> items();
            case VALUE_STRING -> new JsonTree.Text(legible(parser.getText()));
            case VALUE_NUMBER_INT -> whole();
            case VALUE_NUMBER_FLOAT -> fraction();
            case VALUE_TRUE -> new JsonTree.Flag(true);
            case VALUE_FALSE -> new JsonTree.Flag(false);
            case VALUE_NULL -> new JsonTree.Nothing();
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw malformed("expected a value");
        };
    }

    private JsonTree mapping() throws IOException {
        var entries = new LinkedHashMap<String, JsonTree>();
        int outer = path.length();
        while (named()) {
            String key = legible(parser.currentName());
            enter(key);
            parser.nextToken();
            if (entries.put(key, value()) != null) {
                throw malformed("the key \"" + key + "\" is repeated");
            }
            path.setLength(outer);
        }
        return new JsonTree.Mapping(entries);
    }

    /// Whether another key follows. The parser reads the value along with the key, so this may fail
    /// because of the value.
    private boolean named() throws IOException {
        try {
            return parser.nextToken() == JsonToken.FIELD_NAME;
        } catch (JsonProcessingException e) {
            if (parser.currentToken() == JsonToken.FIELD_NAME) {
                enter(legible(parser.currentName()));
            }
            throw e;
        }
    }

    private void enter(String key) {
        path.append(path.isEmpty() ? "" : ".").append(key);
    }

    private JsonTree items() throws IOException {
        var all = new ArrayList<JsonTree>();
        int outer = path.length();
        path.append("[0]");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            all.add(value());
            path.setLength(outer);
            path.append('[').append(all.size()).append(']');
        }
        path.setLength(outer);
        return new JsonTree.Items(all);
    }

    private JsonTree whole() throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> new JsonTree.Whole(parser.getLongValue());
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> new JsonTree.Huge(parser.getText());
        };
    }

    /// 4.0 and 4e0 are the whole number 4.
    private JsonTree fraction() throws IOException {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) {
            return new JsonTree.Huge(parser.getText());
        }
        long whole = (long) value;
        return whole == value && Math.abs(value) < 1L << 53
                ? new JsonTree.Whole(whole)
                : new JsonTree.Fraction(value);
    }

    /// An unpaired surrogate cannot be encoded again.
    private String legible(String text) {
        int i = 0;
        while (i < text.length()) {
            int point = text.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw malformed("a text contains an unpaired surrogate");
            }
            i += Character.charCount(point);
        }
        return text;
    }

    private MalformedException malformed(String what) {
        var at = parser.currentLocation();
        return new MalformedException(
                "not acceptable JSON at line %s, column %s: %s"
                        .formatted(at.getLineNr(), at.getColumnNr(), what),
                null,
                path.toString());
    }

    /// The message without the parser library's internals.
    private static String plain(String message) {
        String placed = PLACE.matcher(message).replaceAll("line $1, column $2");
        return SETTING.matcher(placed)
                .replaceAll("")
                .replace("VALUE_STRING", "a text")
                .replace("FIELD_NAME", "a name");
    }

    private static String firstLine(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        int end = message.indexOf('\n');
        return plain(end < 0 ? message : message.substring(0, end));
    }
}
