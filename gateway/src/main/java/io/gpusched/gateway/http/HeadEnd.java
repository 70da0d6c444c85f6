package io.gpusched.gateway.http;

/// Finds the empty line after a head while its bytes arrive, without looking at a byte twice.
final class HeadEnd {
    static final int MOST_HEAD_BYTES = 32 * 1024;

    private int looked;

    /// The index after the empty line, counted from the start of the queue; -1 while it has not
    /// come.
    int find(ByteQueue in) throws BadHttp {
        byte[] bytes = in.array();
        int from = in.start();
        int length = in.length();
        for (int at = Math.max(looked, 3); at < length; at++) {
            if (bytes[from + at] == '\n'
                    && bytes[from + at - 1] == '\r'
                    && bytes[from + at - 2] == '\n'
                    && bytes[from + at - 3] == '\r') {
                looked = 0;
                return at + 1;
            }
        }
        looked = length;
        if (length > MOST_HEAD_BYTES) {
            throw new BadHttp(431, "the head is longer than " + MOST_HEAD_BYTES + " bytes");
        }
        return -1;
    }
}
