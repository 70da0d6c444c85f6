package io.gpusched.gateway.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/// Bytes that arrive at one end and leave at the other. It grows as needed; its user sets the
/// bound.
public final class ByteQueue {
    private static final int SMALLEST = 1024;

    /// The largest array that an empty queue keeps. There are several queues for each connection.
    private static final int KEPT = 4 * SMALLEST;

    private static final byte[] NONE = new byte[0];

    private byte[] bytes = NONE;
    private int start;
    private int end;

    public int length() {
        return end - start;
    }

    public boolean isEmpty() {
        return start == end;
    }

    /// The array that holds the bytes, from [#start] to [#end].
    public byte[] array() {
        return bytes;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public void append(byte[] from, int offset, int length) {
        reserve(length);
        System.arraycopy(from, offset, bytes, end, length);
        end += length;
    }

    /// Takes all that remains in the buffer.
    public void append(ByteBuffer from) {
        int length = from.remaining();
        reserve(length);
        from.get(bytes, end, length);
        end += length;
    }

    /// Drops the first bytes. An empty queue gives a large array back.
    public void consume(int length) {
        start += length;
        if (start == end) {
            start = 0;
            end = 0;
            if (bytes.length > KEPT) {
                bytes = NONE;
            }
        }
    }

    public void clear() {
        consume(length());
    }

    public byte[] toArray() {
        return Arrays.copyOfRange(bytes, start, end);
    }

    /// Writes as much as the channel takes, through `io`, which must be empty.
    public void drainTo(WritableByteChannel channel, ByteBuffer io) throws IOException {
        while (!isEmpty()) {
            io.clear();
            io.put(bytes, start, Math.min(length(), io.remaining()));
            io.flip();
            int filled = io.remaining();
            int written = channel.write(io);
            consume(written);
            if (written < filled) {
                return;
            }
        }
    }

    private void reserve(int length) {
        if (bytes.length - end >= length) {
            return;
        }
        int held = end - start;
        if (bytes.length >= held + length) {
            System.arraycopy(bytes, start, bytes, 0, held);
        } else {
            int size = Math.max(SMALLEST, Math.max(held + length, bytes.length * 2));
            byte[] larger = new byte[size];
            System.arraycopy(bytes, start, larger, 0, held);
            bytes = larger;
        }
        start = 0;
        end = held;
    }
}
