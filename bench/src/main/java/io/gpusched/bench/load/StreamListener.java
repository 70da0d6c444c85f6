package io.gpusched.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// One listener of live events: reads the chunks of the answer, and in them the lines of
/// Server-Sent Events, and counts the events. Ids must grow, so no event can come twice.
final class StreamListener implements AutoCloseable {
    private enum Part {
        HEAD,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END
    }

    private static final String ID = "id: ";
    private static final String DATA = "data: ";
    private static final String RESYNC = "event: resync";

    private final SocketChannel channel;
    private final StringBuilder line = new StringBuilder();
    private final StringBuilder framing = new StringBuilder();
    private Part part = Part.HEAD;
    private int left;
    private long lastBatch = -1;
    private long lastIndex = -1;
    private boolean hasBegun;
    private long events;
    private long wrong;

    StreamListener(SocketAddress server, byte[] request) throws IOException {
        channel = SocketChannel.open(server);
        ByteBuffer bytes = ByteBuffer.wrap(request);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.configureBlocking(false);
    }

    SocketChannel channel() {
        return channel;
    }

    /// Reads what has come.
    void receive(ByteBuffer buffer) throws IOException {
        buffer.clear();
        int read = channel.read(buffer);
        if (read < 0) {
            throw new EOFException("the server closed a stream: " + framing);
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            take(buffer.get());
        }
    }

    private void take(byte one) throws IOException {
        switch (part) {
            case HEAD -> {
                framing.append((char) one);
                if (one == '\n' && framing.toString().endsWith("\r\n\r\n")) {
                    if (!framing.toString().startsWith("HTTP/1.1 200")) {
                        throw new IOException("a listener was refused: " + framing);
                    }
                    next(Part.CHUNK_SIZE);
                }
            }
            case CHUNK_SIZE -> {
                if (one == '\n') {
                    left = Integer.parseInt(framing.toString().strip(), 16);
                    next(left == 0 ? Part.HEAD : Part.CHUNK);
                } else {
                    framing.append((char) one);
                }
            }
            case CHUNK -> {
                text(one);
                left--;
                if (left == 0) {
                    next(Part.CHUNK_END);
                }
            }
            case CHUNK_END -> {
                if (one == '\n') {
                    next(Part.CHUNK_SIZE);
                }
            }
        }
    }

    private void next(Part following) {
        part = following;
        framing.setLength(0);
    }

    private void text(byte one) {
        if (one != '\n') {
            line.append((char) one);
            return;
        }
        if (line.indexOf(ID) == 0) {
            id(line.substring(ID.length()));
        } else if (line.indexOf(DATA) == 0) {
            events++;
        } else if (line.indexOf(RESYNC) == 0) {
            wrong++;
        }
        line.setLength(0);
    }

    private void id(String id) {
        int dash = id.indexOf('-');
        long batch = Long.parseLong(id, 0, dash, 10);
        long index = Long.parseLong(id, dash + 1, id.length(), 10);
        boolean isLater = batch > lastBatch || (batch == lastBatch && index >= lastIndex);
        wrong += isLater ? 0 : 1;
        lastBatch = batch;
        lastIndex = index;
        hasBegun = true;
    }

    /// Whether the stream has begun, so that every later event will come.
    boolean hasBegun() {
        return hasBegun;
    }

    long events() {
        return events;
    }

    /// How often the order was wrong, or events were left out.
    long wrong() {
        return wrong;
    }

    /// A request for live events.
    ///
    /// @param token empty for none
    static byte[] request(String host, String query, String token) {
        String authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        return "GET /api/v1/events?%s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n%s\r\n"
                .formatted(query, host, authorization)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
