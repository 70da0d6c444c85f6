package io.gpusched.gateway.http;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/// The fields of a head in their order, with names in lower case.
///
/// Reading is strict, because two readers that disagree about a field can be made to disagree about
/// where a request ends.
public final class HeaderFields {
    private static final int MOST_FIELDS = 100;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    /// Reads lines that end with CR LF.
    static HeaderFields read(byte[] bytes, int from, int to) throws BadHttp {
        var fields = new HeaderFields();
        int at = from;
        while (at < to) {
            int end = at;
            while (end < to && bytes[end] != '\r') {
                end++;
            }
            if (end + 1 >= to || bytes[end + 1] != '\n') {
                throw new BadHttp(400, "a header field does not end with CR LF");
            }
            fields.add(bytes, at, end);
            at = end + 2;
        }
        return fields;
    }

    private void add(byte[] bytes, int from, int to) throws BadHttp {
        int colon = from;
        while (colon < to && isName(bytes[colon])) {
            colon++;
        }
        if (colon == from || colon == to || bytes[colon] != ':') {
            throw new BadHttp(400, "a header field has no valid name");
        }
        if (names.size() == MOST_FIELDS) {
            throw new BadHttp(431, "more than " + MOST_FIELDS + " header fields");
        }
        for (int i = colon; i < to; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t' || bytes[i] == 127) {
                throw new BadHttp(400, "a header field contains a control character");
            }
        }
        names.add(text(bytes, from, colon).toLowerCase(Locale.ROOT));
        values.add(text(bytes, colon + 1, to).strip());
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean isName(byte found) {
        return found >= 'a' && found <= 'z'
                || found >= 'A' && found <= 'Z'
                || found >= '0' && found <= '9'
                || "!#$%&'*+-.^_`|~".indexOf(found) >= 0;
    }

    /// The value of the first field with this name, or null.
    public @Nullable String first(String name) {
        int at = names.indexOf(name);
        return at < 0 ? null : values.get(at);
    }

    public int count(String name) {
        int count = 0;
        for (String each : names) {
            count += each.equals(name) ? 1 : 0;
        }
        return count;
    }

    /// Whether a field with this name lists the word, as in `connection: keep-alive, close`.
    boolean lists(String name, String word) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                for (String part : values.get(i).split(",")) {
                    if (part.strip().equalsIgnoreCase(word)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < names.size(); i++) {
            action.accept(names.get(i), values.get(i));
        }
    }
}
