package io.gpusched.store;

import java.util.Collection;
import java.util.Map;

/// Lists and maps of text as JSON, for columns that people read.
final class JsonText {
    private JsonText() {}

    static String list(Collection<String> items) {
        var json = new StringBuilder("[");
        for (String item : items) {
            quoted(item, json.append(json.length() == 1 ? "" : ","));
        }
        return json.append(']').toString();
    }

    static String map(Map<String, String> entries) {
        var json = new StringBuilder("{");
        for (var entry : entries.entrySet()) {
            quoted(entry.getKey(), json.append(json.length() == 1 ? "" : ","));
            quoted(entry.getValue(), json.append(':'));
        }
        return json.append('}').toString();
    }

    private static void quoted(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ') {
                to.append("\\u00").append(Character.forDigit(c >> 4, 16));
                to.append(Character.forDigit(c & 15, 16));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }
}
