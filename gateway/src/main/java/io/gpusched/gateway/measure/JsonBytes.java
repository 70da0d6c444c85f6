package io.gpusched.gateway.measure;

import java.nio.charset.StandardCharsets;

/// Looks for a few keys in JSON text without parsing it, because this runs for every token.
final class JsonBytes {
    static final byte[] EVENT = ascii("data:");
    static final byte[] DONE = ascii("[DONE]");
    static final byte[] USAGE = ascii("\"usage\"");
    static final byte[] PROMPT_TOKENS = ascii("\"prompt_tokens\"");
    static final byte[] INPUT_TOKENS = ascii("\"input_tokens\"");
    static final byte[] COMPLETION_TOKENS = ascii("\"completion_tokens\"");
    static final byte[] OUTPUT_TOKENS = ascii("\"output_tokens\"");
    private static final byte[] TOOL_CALLS = ascii("\"tool_calls\"");

    /// Marks the first part of each tool call.
    private static final byte[] TYPE = ascii("\"type\"");

    private static final byte[] FUNCTION = ascii("\"function\"");

    /// Ends of keys whose value is generated text: `content` and `reasoning_content` of chats,
    /// `text` of completions, `arguments` of tool calls, `delta` of responses.
    private static final byte[][] TEXT_KEYS = {
        ascii("content\""), ascii("text\""), ascii("arguments\""), ascii("delta\"")
    };

    private final byte[] bytes;
    private final int from;
    private final int to;

    /// @param from index of the first byte
    /// @param to index after the last byte
    JsonBytes(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    boolean startsWith(byte[] word) {
        return to - from >= word.length && matches(from, word);
    }

    boolean contains(byte[] word) {
        return indexOf(word, from) >= 0;
    }

    /// How many tool calls begin here.
    int toolCalls() {
        int count = 0;
        if (contains(TOOL_CALLS)) {
            for (int at = indexOf(TYPE, from); at >= 0; at = indexOf(TYPE, at + TYPE.length)) {
                int value = skip(at + TYPE.length);
                count += value + FUNCTION.length <= to && matches(value, FUNCTION) ? 1 : 0;
            }
        }
        return count;
    }

    int lastIndexOf(byte[] word) {
        for (int at = to - word.length; at >= from; at--) {
            if (matches(at, word)) {
                return at;
            }
        }
        return -1;
    }

    /// Whether one of the text keys has a value that is not empty.
    boolean hasText() {
        for (byte[] key : TEXT_KEYS) {
            for (int at = indexOf(key, from); at >= 0; at = indexOf(key, at + key.length)) {
                int value = skip(at + key.length);
                if (value + 1 < to && bytes[value] == '"' && bytes[value + 1] != '"') {
                    return true;
                }
            }
        }
        return false;
    }

    /// The number after one of the keys, looked for from `start` on; -1 when there is none.
    long number(int start, byte[] key, byte[] otherKey) {
        int at = indexOf(key, start);
        int length = key.length;
        if (at < 0) {
            at = indexOf(otherKey, start);
            length = otherKey.length;
        }
        if (at < 0) {
            return -1;
        }
        long number = -1;
        for (int i = skip(at + length); i < to && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            number = Math.max(0, number) * 10 + bytes[i] - '0';
            if (number > Integer.MAX_VALUE) {
                return -1;
            }
        }
        return number;
    }

    /// Skips the colon and blanks after a key.
    private int skip(int start) {
        int at = start;
        while (at < to && (bytes[at] == ':' || bytes[at] == ' ')) {
            at++;
        }
        return at;
    }

    private int indexOf(byte[] word, int start) {
        int last = to - word.length;
        byte first = word[0];
        for (int at = start; at <= last; at++) {
            if (bytes[at] == first && matches(at, word)) {
                return at;
            }
        }
        return -1;
    }

    private boolean matches(int at, byte[] word) {
        for (int i = 0; i < word.length; i++) {
            if (bytes[at + i] != word[i]) {
                return false;
            }
        }
        return true;
    }
}
