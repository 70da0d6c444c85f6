package io.gpusched.gateway.binding;

import java.io.IOException;

/// Follows the bytes of a Redis server and refuses what is beyond a budget before the client sees
/// it.
///
///     *2 CRLF $5 CRLF abcde CRLF :7 CRLF
///     ▲       ▲
///     parts   bytes that follow
///
/// Each line begins with its type. A length counts when its line ends.
final class RedisGuard {
    private static final String TEXTS = "$=!";
    private static final String LISTS = "*%~>|";
    private static final int MOST_DIGITS = 20;
    private static final int CRLF = 2;

    private final AnswerBudget budget;
    private final StringBuilder length = new StringBuilder();
    private int type = -1;
    private long skip;

    RedisGuard(AnswerBudget budget) {
        this.budget = budget;
    }

    void next(byte[] bytes, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            if (skip > 0) {
                skip--;
            } else {
                budget.bytes(1);
                next(bytes[i] & 0xff);
            }
        }
    }

    private void next(int c) throws IOException {
        if (type < 0) {
            type = c;
            length.setLength(0);
        } else if (c == '\n') {
            announced();
            type = -1;
        } else if (c != '\r' && length.length() < MOST_DIGITS) {
            length.append((char) c);
        }
    }

    /// A line is over. The entries of a map count as two parts.
    private void announced() throws IOException {
        if (TEXTS.indexOf(type) >= 0) {
            long count = AnswerBudget.length(length);
            if (count >= 0) {
                budget.bytes(count);
                skip = count + CRLF;
            }
        } else if (LISTS.indexOf(type) >= 0) {
            budget.parts(Math.max(0, 2 * AnswerBudget.length(length)));
        }
    }
}
