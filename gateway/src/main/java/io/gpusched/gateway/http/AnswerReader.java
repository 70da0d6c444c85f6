package io.gpusched.gateway.http;

import org.jspecify.annotations.Nullable;

/// Reads the heads of answers from one connection to a replica.
public final class AnswerReader {
    private final HeadEnd headEnd = new HeadEnd();

    /// The next head, or null while it is not complete. The bytes after it stay in the queue.
    ///
    /// @param bodyless whether the request was one whose answers have no body (HEAD)
    public @Nullable AnswerHead read(ByteQueue in, boolean bodyless) throws BadHttp {
        int length = headEnd.find(in);
        if (length < 0) {
            return null;
        }
        AnswerHead head = AnswerHead.read(in.array(), in.start(), in.start() + length, bodyless);
        in.consume(length);
        return head;
    }
}
