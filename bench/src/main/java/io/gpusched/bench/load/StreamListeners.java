package io.gpusched.bench.load;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// Many listeners of live events, all served by one thread, so that reading costs little beside the
/// server that is measured.
public final class StreamListeners implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BUFFER = 1 << 16;

    private final List<StreamListener> all = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    /// Listens with one connection for every request, and returns when all streams have begun.
    public StreamListeners(SocketAddress server, List<byte[]> requests) throws IOException {
        for (byte[] request : requests) {
            var listener = new StreamListener(server, request);
            all.add(listener);
            listener.channel().register(selector, SelectionKey.OP_READ, listener);
        }
        readUntil(() -> all.stream().allMatch(StreamListener::hasBegun));
    }

    /// Makes the request of a listener.
    public static byte[] request(String host, String query, String token) {
        return StreamListener.request(host, query, token);
    }

    /// Reads until `ended` and all listeners have what they should have; or fails after a while.
    ///
    /// @param expected how many events each listener should have, known once `ended`
    /// @return how many events are missing or came too often, and all disorder
    public long read(AtomicBoolean ended, long[] expected) throws IOException {
        while (!ended.get()) {
            readSome();
        }
        try {
            readUntil(() -> difference(expected) == 0);
        } catch (IOException late) {
            return difference(expected) + wrong();
        }
        return wrong();
    }

    /// How many events all listeners have received together.
    public long events() {
        return all.stream().mapToLong(StreamListener::events).sum();
    }

    private long difference(long[] expected) {
        long sum = 0;
        for (int i = 0; i < all.size(); i++) {
            sum += Math.abs(expected[i] - all.get(i).events());
        }
        return sum;
    }

    private long wrong() {
        return all.stream().mapToLong(StreamListener::wrong).sum();
    }

    private void readUntil(BooleanSupplier enough) throws IOException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!enough.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IOException("the listeners were not served in time");
            }
            readSome();
        }
    }

    private void readSome() throws IOException {
        selector.select(100);
        for (SelectionKey key : selector.selectedKeys()) {
            ((StreamListener) key.attachment()).receive(buffer);
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        for (StreamListener listener : all) {
            listener.close();
        }
        selector.close();
    }
}
