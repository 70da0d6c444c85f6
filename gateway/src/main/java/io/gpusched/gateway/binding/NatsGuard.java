package io.gpusched.gateway.binding;

import java.io.IOException;
import java.util.Locale;

/// Follows the bytes of a NATS server and refuses what is beyond a budget before the client sees
/// it.
///
///     MSG subject 1 5 CRLF abcde CRLF
///     HMSG subject 1 12 17 CRLF headers and data CRLF
///                    ▲  ▲
///              headers  all that follows
final class NatsGuard {
    private static final int MOST_LINE = 64 << 10;
    private static final int CRLF = 2;

    private final AnswerBudget budget;
    private final StringBuilder line = new StringBuilder();
    private long skip;

    NatsGuard(AnswerBudget budget) {
        this.budget = budget;
    }

    void next(byte[] bytes, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            if (skip > 0) {
                skip--;
            } else {
                next((char) (bytes[i] & 0xff));
            }
        }
    }

    private void next(char c) throws IOException {
        budget.bytes(1);
        if (c == '\n') {
            announced();
            line.setLength(0);
        } else if (line.length() == MOST_LINE) {
            throw new IOException("a line is too long");
        } else {
            line.append(c);
        }
    }

    private void announced() throws IOException {
        String[] words = line.toString().strip().split("[ \t]+", -1);
        String kind = words[0].toUpperCase(Locale.ROOT);
        boolean headers = kind.equals("HMSG");
        if (!headers && !kind.equals("MSG")) {
            return;
        }
        long all = AnswerBudget.length(words[words.length - 1]);
        if (headers && words.length > 1) {
            budget.bytes(AnswerBudget.length(words[words.length - 2]));
        }
        budget.bytes(all);
        skip = Math.max(0, all) + CRLF;
    }
}
