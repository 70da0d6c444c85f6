package io.gpusched.gateway.binding;

import java.io.IOException;

/// How much one answer of a queue's server may be. A client reserves memory for what a server
/// announces before it has come, so a wrong number would end the process.
final class AnswerBudget {
    /// A thousand entries of a stream, of some kB each.
    private static final long MOST_BYTES = 16 << 20;

    private static final long MOST_PARTS = 100_000;

    private long bytes;
    private long parts;

    /// A request is sent: its answer may have the whole budget.
    synchronized void renew() {
        bytes = 0;
        parts = 0;
    }

    /// So many bytes have come, or are announced.
    synchronized void bytes(long more) throws IOException {
        bytes = spent(bytes, more, MOST_BYTES);
    }

    /// So many parts are announced.
    synchronized void parts(long more) throws IOException {
        parts = spent(parts, more, MOST_PARTS);
    }

    private static long spent(long before, long more, long most) throws IOException {
        if (more > most - before) {
            throw new IOException("the answer is too long");
        }
        return before + more;
    }

    /// A length as a server writes it.
    static long length(CharSequence text) throws IOException {
        if (text.length() > 17 || !text.toString().matches("-?[0-9]+")) {
            throw new IOException("a length is not a number");
        }
        return Long.parseLong(text.toString());
    }
}
