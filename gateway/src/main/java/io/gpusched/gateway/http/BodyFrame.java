package io.gpusched.gateway.http;

import org.jspecify.annotations.Nullable;

/// Finds where a body ends, and which of its bytes are content, while its bytes pass by.
///
/// Nothing is copied: chunked bodies are passed on as they came, framing included, and only looked
/// at.
public final class BodyFrame {
    /// Takes content, in pieces of any size.
    public interface ContentSink {
        void take(byte[] bytes, int from, int to);
    }

    private enum Part {
        LENGTH,
        UNTIL_CLOSE,
        CHUNK_SIZE,
        CHUNK_SIZE_END,
        CHUNK_EXTENSION,
        CHUNK_CONTENT,
        CHUNK_END,
        TRAILER,
        COMPLETE
    }

    /// The longest size line or trailer that is accepted.
    private static final int MOST_FRAMING = 8 * 1024;

    private Part part;

    /// Content bytes that are still to come, of the body or of the current chunk.
    private long remaining;

    private boolean sizeSeen;
    private int framing;
    private int trailerLine;

    /// Whether the byte before was a CR, after which only LF may come.
    private boolean lineEnds;

    private BodyFrame(Part part, long remaining) {
        this.part = part;
        this.remaining = remaining;
    }

    static BodyFrame chunked() {
        return new BodyFrame(Part.CHUNK_SIZE, 0);
    }

    static BodyFrame untilClose() {
        return new BodyFrame(Part.UNTIL_CLOSE, 0);
    }

    static BodyFrame ofLength(long length) {
        return new BodyFrame(length == 0 ? Part.COMPLETE : Part.LENGTH, length);
    }

    /// The frame that the fields of a head announce.
    ///
    /// @param otherwise the frame where the head announces none
    static BodyFrame of(HeaderFields fields, BodyFrame otherwise) throws BadHttp {
        String coding = fields.first("transfer-encoding");
        String length = fields.first("content-length");
        if (coding != null) {
            if (length != null || fields.count("transfer-encoding") > 1) {
                throw new BadHttp(400, "Transfer-Encoding beside another length of the body");
            }
            if (!coding.equalsIgnoreCase("chunked")) {
                throw new BadHttp(501, "Transfer-Encoding is not chunked");
            }
            return chunked();
        }
        if (length == null) {
            return otherwise;
        }
        if (fields.count("content-length") > 1 || !length.matches("[0-9]{1,18}")) {
            throw new BadHttp(400, "Content-Length is not one number");
        }
        return ofLength(Long.parseLong(length));
    }

    public boolean isComplete() {
        return part == Part.COMPLETE;
    }

    /// Whether only the end of the connection ends the body.
    public boolean endsWithConnection() {
        return part == Part.UNTIL_CLOSE;
    }

    /// The announced number of bytes that are still to come; -1 where none was announced.
    long announced() {
        return part == Part.LENGTH ? remaining : part == Part.COMPLETE ? 0 : -1;
    }

    /// Passes the content of these bytes to the sink. Returns the index after the last byte that
    /// belongs to the body.
    public int scan(byte[] bytes, int from, int to, @Nullable ContentSink sink) throws BadHttp {
        int at = from;
        while (at < to && part != Part.COMPLETE) {
            switch (part) {
                case LENGTH, CHUNK_CONTENT -> at = content(bytes, at, to, sink);
                case UNTIL_CLOSE -> {
                    pass(bytes, at, to, sink);
                    at = to;
                }
                default -> framing(bytes[at++]);
            }
        }
        return at;
    }

    private int content(byte[] bytes, int at, int to, @Nullable ContentSink sink) {
        int length = (int) Math.min(remaining, to - at);
        pass(bytes, at, at + length, sink);
        remaining -= length;
        if (remaining == 0) {
            part = part == Part.LENGTH ? Part.COMPLETE : Part.CHUNK_END;
        }
        return at + length;
    }

    private static void pass(byte[] bytes, int from, int to, @Nullable ContentSink sink) {
        if (sink != null && to > from) {
            sink.take(bytes, from, to);
        }
    }

    private void framing(byte found) throws BadHttp {
        if (++framing > MOST_FRAMING) {
            throw new BadHttp(400, "the framing of a chunked body is too long");
        }
        if (lineEnds) {
            if (found != '\n') {
                throw new BadHttp(400, "a CR without LF in the framing of a chunked body");
            }
            lineEnds = false;
            endOfLine();
        } else if (found == '\r') {
            if (part == Part.CHUNK_SIZE && !sizeSeen) {
                throw notASize();
            }
            lineEnds = true;
        } else if (found >= 0 && found < ' ' && found != '\t' || found == 127) {
            throw new BadHttp(400, "a control character in the framing of a chunked body");
        } else {
            within(found);
        }
    }

    private void endOfLine() {
        switch (part) {
            case CHUNK_SIZE, CHUNK_SIZE_END, CHUNK_EXTENSION -> {
                part = remaining == 0 ? Part.TRAILER : Part.CHUNK_CONTENT;
                trailerLine = 0;
            }
            case CHUNK_END -> {
                part = Part.CHUNK_SIZE;
                remaining = 0;
                sizeSeen = false;
                framing = 0;
            }
            default -> {
                part = trailerLine == 0 ? Part.COMPLETE : Part.TRAILER;
                trailerLine = 0;
            }
        }
    }

    /// A byte of a line that does not end it.
    private void within(byte found) throws BadHttp {
        switch (part) {
            case CHUNK_SIZE -> size(found);
            case CHUNK_SIZE_END -> afterSize(found);
            case CHUNK_EXTENSION -> {}
            case CHUNK_END -> throw new BadHttp(400, "a chunk is longer than its size says");
            default -> trailerLine++;
        }
    }

    private void size(byte found) throws BadHttp {
        int digit = Character.digit(found, 16);
        if (digit >= 0) {
            remaining = remaining * 16 + digit;
            sizeSeen = true;
            if (remaining > Integer.MAX_VALUE) {
                throw new BadHttp(413, "a chunk is larger than 2 GiB");
            }
        } else if (sizeSeen) {
            afterSize(found);
        } else {
            throw notASize();
        }
    }

    private void afterSize(byte found) throws BadHttp {
        if (found == ';') {
            part = Part.CHUNK_EXTENSION;
        } else if (found == ' ' || found == '\t') {
            part = Part.CHUNK_SIZE_END;
        } else {
            throw notASize();
        }
    }

    private static BadHttp notASize() {
        return new BadHttp(400, "the size of a chunk is not a hexadecimal number");
    }
}
