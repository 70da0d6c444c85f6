package io.gpusched.server.http;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/// Writes JSON directly as bytes. It sets the commas; the caller must close every `object` and
/// `array` with `end…`.
///
///     new JsonOut().object().field("job_id", "job-7").endObject()   →   {"job_id":"job-7"}
public final class JsonOutput {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int size;
    private boolean comma;

    public JsonOutput() {
        this(256);
    }

    public JsonOutput(int expected) {
        bytes = new byte[expected];
    }

    public JsonOutput object() {
        return open('{');
    }

    public JsonOutput endObject() {
        return close('}');
    }

    public JsonOutput array() {
        return open('[');
    }

    public JsonOutput endArray() {
        return close(']');
    }

    /// Names the next value of an object. Names are plain ASCII.
    public JsonOutput name(String name) {
        separate();
        put('"');
        ascii(name);
        put('"');
        put(':');
        comma = false;
        return this;
    }

    /// Names the next value of an object with a text that comes from users.
    JsonOutput key(String text) {
        separate();
        quoted(text);
        put(':');
        comma = false;
        return this;
    }

    public JsonOutput value(@Nullable String text) {
        separate();
        if (text == null) {
            raw(NULL);
        } else {
            quoted(text);
        }
        comma = true;
        return this;
    }

    public JsonOutput value(long number) {
        separate();
        digits(number);
        comma = true;
        return this;
    }

    /// Writes a number with at most six decimals; null if it is not finite.
    public JsonOutput value(double number) {
        separate();
        if (!Double.isFinite(number)) {
            raw(NULL);
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            digits((long) number);
        } else {
            ascii(Double.toString(Math.rint(number * 1e6) / 1e6));
        }
        comma = true;
        return this;
    }

    /// Writes a finite number with all its digits.
    public JsonOutput exactly(double number) {
        separate();
        ascii(Double.toString(number));
        comma = true;
        return this;
    }

    public JsonOutput value(boolean flag) {
        separate();
        ascii(flag ? "true" : "false");
        comma = true;
        return this;
    }

    /// Inserts a value that is already JSON.
    public JsonOutput written(String json) {
        separate();
        raw(json.strip().getBytes(StandardCharsets.UTF_8));
        comma = true;
        return this;
    }

    /// Inserts a whole value that another output holds.
    JsonOutput written(JsonOutput other) {
        separate();
        room(other.size);
        System.arraycopy(other.bytes, 0, bytes, size, other.size);
        size += other.size;
        comma = true;
        return this;
    }

    public JsonOutput field(String name, @Nullable String text) {
        return name(name).value(text);
    }

    public JsonOutput field(String name, long number) {
        return name(name).value(number);
    }

    public JsonOutput field(String name, double number) {
        return name(name).value(number);
    }

    public JsonOutput field(String name, boolean flag) {
        return name(name).value(flag);
    }

    public JsonOutput field(String name, @Nullable Instant at) {
        return name(name).value(at == null ? null : at.toString());
    }

    public JsonOutput empty(String name) {
        name(name);
        raw(NULL);
        comma = true;
        return this;
    }

    public JsonOutput field(String name, Iterable<String> texts) {
        name(name).array();
        for (String text : texts) {
            value(text);
        }
        return endArray();
    }

    public JsonOutput field(String name, Map<String, String> pairs) {
        name(name).object();
        for (var pair : pairs.entrySet()) {
            key(pair.getKey()).value(pair.getValue());
        }
        return endObject();
    }

    public int size() {
        return size;
    }

    /// The document and a newline, so that the prompt of a shell starts on a new line after `curl`.
    public byte[] toBytes() {
        byte[] document = Arrays.copyOf(bytes, size + 1);
        document[size] = '\n';
        return document;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }

    private JsonOutput open(char bracket) {
        separate();
        put(bracket);
        comma = false;
        return this;
    }

    private JsonOutput close(char bracket) {
        put(bracket);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            put(',');
        }
    }

    private void put(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
    }

    private void raw(byte[] more) {
        room(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    private void ascii(String text) {
        int length = text.length();
        room(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
    }

    private void digits(long number) {
        if (number < 0) {
            ascii(Long.toString(number));
            return;
        }
        int length = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            length++;
        }
        room(length);
        long rest = number;
        for (int at = size + length - 1; at >= size; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += length;
    }

    private void quoted(String text) {
        put('"');
        int length = text.length();
        room(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80 && c >= 0x20 && c != '"' && c != '\\') {
                put(c);
            } else {
                i += special(text, i);
            }
        }
        put('"');
    }

    /// Writes the character at `i`, which needs an escape or is not ASCII; returns how many further
    /// chars it used.
    private int special(String text, int i) {
        char c = text.charAt(i);
        if (c == '"' || c == '\\') {
            put('\\');
            put(c);
        } else if (c < 0x20) {
            raw(new byte[] {'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]});
        } else if (Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1))) {
            raw(text.substring(i, i + 2).getBytes(StandardCharsets.UTF_8));
            return 1;
        } else if (Character.isSurrogate(c)) {
            raw("\uFFFD".getBytes(StandardCharsets.UTF_8));
        } else {
            raw(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        }
        return 0;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }
}
