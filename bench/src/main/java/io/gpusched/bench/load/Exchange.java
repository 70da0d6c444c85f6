package io.gpusched.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One kept-alive connection with at most one request under way.
final class Exchange implements AutoCloseable {
    private static final int LARGEST_ANSWER = 64 * 1024;
    private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(StandardCharsets.US_ASCII);

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(LARGEST_ANSWER);
    private long sentAt;

    /// Where the answer ends; 0 while its head is not complete.
    private int end;

    Exchange(SocketAddress server) throws IOException {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    SocketChannel channel() {
        return channel;
    }

    long sentAt() {
        return sentAt;
    }

    void send(ByteBuffer request, long now) throws IOException {
        answer.clear();
        end = 0;
        sentAt = now;
        ByteBuffer bytes = request.duplicate();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /// Reads what has come. True when the answer is complete.
    boolean receive() throws IOException {
        if (channel.read(answer) < 0) {
            throw new EOFException("the server closed a connection: " + text());
        }
        if (end == 0) {
            end = endOfAnswer();
        }
        return end > 0 && answer.position() >= end;
    }

    /// The status code of a complete answer.
    int status() {
        return (answer.get(9) - '0') * 100 + (answer.get(10) - '0') * 10 + (answer.get(11) - '0');
    }

    /// What has been received, for messages.
    String text() {
        var bytes = new byte[answer.position()];
        answer.duplicate().flip().get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private int endOfAnswer() throws IOException {
        int length = -1;
        int last = answer.position() - 3;
        for (int i = 0; i < last; i++) {
            if (answer.get(i) != '\r') {
                continue;
            }
            if (answer.get(i + 2) == '\r') {
                if (length < 0) {
                    throw new IOException("expected a Content-Length in the answer: " + text());
                }
                return i + 4 + length;
            }
            length = isLength(i) ? number(i + LENGTH.length) : length;
        }
        return 0;
    }

    private boolean isLength(int at) {
        if (at + LENGTH.length >= answer.position()) {
            return false;
        }
        for (int i = 0; i < LENGTH.length; i++) {
            int found = answer.get(at + i);
            if (found != LENGTH[i] && (found | 0x20) != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    private int number(int from) throws IOException {
        int number = 0;
        for (int i = from; i < answer.position(); i++) {
            int digit = answer.get(i);
            if (digit >= '0' && digit <= '9') {
                number = number * 10 + digit - '0';
            } else if (digit == '\r') {
                return number;
            } else if (digit != ' ') {
                break;
            }
        }
        throw new IOException(
                String.format(Locale.ROOT, "expected a number after Content-Length: %s", text()));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
