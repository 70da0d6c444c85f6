package io.gpusched.gateway.measure;

import io.gpusched.gateway.http.BodyFrame;
import io.gpusched.gateway.http.ByteQueue;

/// Counts the tokens of one answer while its content passes.
///
/// A stream of server-sent events counts one token for each event that has text; the `usage` that
/// many servers send at the end replaces the count. A plain answer has only its `usage`; without
/// one, four bytes count as a token.
public final class AnswerMeter implements BodyFrame.ContentSink {
    private static final int MOST_LINE = 64 * 1024;
    private static final int TAIL = 8 * 1024;
    private static final int BYTES_PER_TOKEN = 4;

    private final boolean events;
    private final ByteQueue kept = new ByteQueue();
    private long now;
    private long firstTokenAt;
    private long lastTokenAt;
    private int tokens;
    private long contentBytes;
    private long promptUsage = -1;
    private long outputUsage = -1;
    private int toolCalls;
    private boolean begun;

    /// @param events whether the answer is a stream of server-sent events
    public AnswerMeter(boolean events) {
        this.events = events;
    }

    /// Sets the time of the content that follows.
    public void at(long time) {
        now = time;
    }

    @Override
    public void take(byte[] bytes, int from, int to) {
        begun = true;
        contentBytes += to - from;
        if (events) {
            lines(bytes, from, to);
        } else {
            tail(bytes, from, to);
        }
    }

    /// The answer is complete.
    public void end() {
        if (!events && !kept.isEmpty()) {
            var text = new JsonBytes(kept.array(), kept.start(), kept.end());
            usage(text);
            toolCalls += text.toolCalls();
        }
        kept.clear();
    }

    public boolean isStream() {
        return events;
    }

    /// Whether any content has passed.
    public boolean hasBegun() {
        return begun;
    }

    /// When the first token passed; 0 while none has, and always for a plain answer.
    public long firstTokenAt() {
        return firstTokenAt;
    }

    /// The mean time between two tokens, in nanoseconds; 0 when there were fewer than two.
    public long interTokenNanos() {
        long count = Math.max(tokens, outputUsage);
        return events && tokens > 1 ? (lastTokenAt - firstTokenAt) / (count - 1) : 0;
    }

    public long outputTokens() {
        if (outputUsage >= 0) {
            return outputUsage;
        }
        return events ? tokens : contentBytes / BYTES_PER_TOKEN;
    }

    /// Prompt tokens as the replica counted them; -1 when it did not say.
    public long promptTokens() {
        return promptUsage;
    }

    public int toolCalls() {
        return toolCalls;
    }

    private void lines(byte[] bytes, int from, int to) {
        int lineStart = from;
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n') {
                endOfLine(bytes, lineStart, at);
                lineStart = at + 1;
            }
        }
        if (kept.length() < MOST_LINE) {
            kept.append(bytes, lineStart, to - lineStart);
        }
    }

    private void endOfLine(byte[] bytes, int from, int to) {
        if (kept.isEmpty()) {
            line(new JsonBytes(bytes, from, to));
        } else {
            kept.append(bytes, from, to - from);
            line(new JsonBytes(kept.array(), kept.start(), kept.end()));
            kept.clear();
        }
    }

    private void line(JsonBytes line) {
        if (!line.startsWith(JsonBytes.EVENT) || line.contains(JsonBytes.DONE)) {
            return;
        }
        if (line.hasText()) {
            firstTokenAt = tokens == 0 ? now : firstTokenAt;
            lastTokenAt = now;
            tokens++;
        }
        usage(line);
        toolCalls += line.toolCalls();
    }

    private void usage(JsonBytes text) {
        int at = text.lastIndexOf(JsonBytes.USAGE);
        if (at < 0) {
            return;
        }
        long prompt = text.number(at, JsonBytes.PROMPT_TOKENS, JsonBytes.INPUT_TOKENS);
        long output = text.number(at, JsonBytes.COMPLETION_TOKENS, JsonBytes.OUTPUT_TOKENS);
        promptUsage = prompt >= 0 ? prompt : promptUsage;
        outputUsage = output >= 0 ? output : outputUsage;
    }

    /// Keeps the end of a plain answer, where its usage is.
    private void tail(byte[] bytes, int from, int to) {
        int length = Math.min(TAIL, to - from);
        kept.append(bytes, to - length, length);
        if (kept.length() > TAIL) {
            kept.consume(kept.length() - TAIL);
        }
    }
}
