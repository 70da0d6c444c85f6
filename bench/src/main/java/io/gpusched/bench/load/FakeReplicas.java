package io.gpusched.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Replicas that stream answers without thinking: the first token at once, then one token per
/// millisecond for every request they have, as an engine does in its iterations. Each token is
/// written on its own. One thread plays all of them.
public final class FakeReplicas implements AutoCloseable {
    public static final int TOKENS = 8;

    private static final long TICK_NANOS = 1_000_000;
    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] LENGTH = ascii("content-length: ");
    private static final ByteBuffer FIRST =
            direct(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                            + "transfer-encoding: chunked\r\n\r\n"
                            + chunk(token()));
    private static final ByteBuffer NEXT = direct(chunk(token()));
    private static final ByteBuffer LAST =
            direct(chunk(token()) + chunk("data: [DONE]\n\n") + "0\r\n\r\n");
    private static final ByteBuffer HEALTHY =
            direct("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    private static final ByteBuffer MISSING =
            direct("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");

    /// One connection to a replica.
    private static final class Stream {
        private final int replica;
        private final SocketChannel channel;
        private final byte[] request = new byte[16 * 1024];
        private int length;
        private int tokensLeft;

        private Stream(int replica, SocketChannel channel) {
            this.replica = replica;
            this.channel = channel;
        }
    }

    private final Selector selector = Selector.open();
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private final List<Stream> active = new ArrayList<>();
    private final Set<Stream> streams = new HashSet<>();
    private final ConcurrentLinkedQueue<Integer> crashes = new ConcurrentLinkedQueue<>();
    private final ByteBuffer io = ByteBuffer.allocateDirect(64 * 1024);
    private final Thread thread = Thread.ofPlatform().name("replicas").unstarted(this::run);
    private volatile boolean closed;

    public FakeReplicas(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT, i);
            servers.add(server);
        }
        thread.start();
    }

    public InetSocketAddress address(int replica) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), servers.get(replica).socket().getLocalPort());
    }

    /// Resets every connection of the replica and takes no other.
    public void crash(int replica) {
        crashes.add(replica);
        selector.wakeup();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = ascii(text);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static String token() {
        return "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":"
                + "[{\"index\":0,\"delta\":{\"content\":\" word\"}}]}\n\n";
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private void run() {
        long tick = System.nanoTime();
        try {
            while (!closed) {
                if (active.isEmpty()) {
                    selector.select(100);
                } else {
                    selector.select(1);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                for (Integer each = crashes.poll(); each != null; each = crashes.poll()) {
                    reset(each);
                }
                if (System.nanoTime() - tick >= TICK_NANOS) {
                    tick = System.nanoTime();
                    active.removeIf(this::step);
                }
            }
        } catch (IOException e) {
            System.err.println("the replicas failed: " + e);
        }
    }

    private void handle(SelectionKey key) throws IOException {
        if (key.isValid() && key.isAcceptable()) {
            SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
            if (channel != null) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                var stream = new Stream((Integer) key.attachment(), channel);
                streams.add(stream);
                channel.register(selector, SelectionKey.OP_READ, stream);
            }
        } else if (key.isValid()) {
            read((Stream) key.attachment());
        }
    }

    private void read(Stream stream) throws IOException {
        io.clear();
        int length;
        try {
            length = stream.channel.read(io);
        } catch (IOException e) {
            length = -1;
        }
        if (length < 0) {
            end(stream);
            return;
        }
        io.flip().get(stream.request, stream.length, length);
        stream.length += length;
        if (isWhole(stream)) {
            answer(stream);
            stream.length = 0;
        }
    }

    private static boolean isWhole(Stream stream) {
        int head = find(stream, HEAD_END);
        if (head < 0) {
            return false;
        }
        int at = find(stream, LENGTH);
        int body = 0;
        for (int i = at + LENGTH.length; at >= 0 && stream.request[i] != '\r'; i++) {
            body = body * 10 + stream.request[i] - '0';
        }
        return stream.length >= head + HEAD_END.length + body;
    }

    private static int find(Stream stream, byte[] word) {
        for (int at = 0; at <= stream.length - word.length; at++) {
            int same = 0;
            while (same < word.length
                    && (stream.request[at + same] | 0x20) == (word[same] | 0x20)) {
                same++;
            }
            if (same == word.length) {
                return at;
            }
        }
        return -1;
    }

    private void answer(Stream stream) throws IOException {
        if (stream.request[0] == 'P') {
            stream.tokensLeft = TOKENS - 1;
            active.add(stream);
            write(stream, FIRST);
        } else {
            write(stream, stream.request[5] == 'h' ? HEALTHY : MISSING);
        }
    }

    /// Writes the next token. True when it was the last.
    private boolean step(Stream stream) {
        if (!stream.channel.isOpen()) {
            return true;
        }
        stream.tokensLeft--;
        write(stream, stream.tokensLeft == 0 ? LAST : NEXT);
        return stream.tokensLeft == 0;
    }

    private void write(Stream stream, ByteBuffer bytes) {
        try {
            ByteBuffer rest = bytes.duplicate();
            while (rest.hasRemaining()) {
                stream.channel.write(rest);
            }
        } catch (IOException e) {
            end(stream);
        }
    }

    private void end(Stream stream) {
        streams.remove(stream);
        try {
            stream.channel.close();
        } catch (IOException e) {
            System.err.println("a connection of a replica could not be closed: " + e);
        }
    }

    private void reset(int replica) throws IOException {
        servers.get(replica).close();
        for (Stream stream : List.copyOf(streams)) {
            if (stream.replica == replica) {
                stream.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                end(stream);
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (ServerSocketChannel server : servers) {
            server.close();
        }
        for (Stream stream : List.copyOf(streams)) {
            end(stream);
        }
        selector.close();
    }
}
