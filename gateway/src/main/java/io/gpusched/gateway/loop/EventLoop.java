package io.gpusched.gateway.loop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// A selector and the one thread that serves it.
///
/// A thread for each connection would be simpler to read. It costs two or three more system calls
/// for each token that passes, and it cannot notice that a client has gone while it waits for the
/// replica; ADR 0068 has the figures.
public final class EventLoop implements AutoCloseable {
    /// A socket in the loop.
    public interface Handler {
        /// Its channel can be read, written, connected or accepted from.
        void ready(SelectionKey key) throws IOException;

        /// Called a few times a second, for timeouts.
        void sweep(long now);

        /// Its channel failed, or handling it did. It must close itself.
        void failed(Exception cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final Duration SWEEP_EVERY = Duration.ofMillis(100);
    private static final int IO_BYTES = 64 * 1024;

    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer io = ByteBuffer.allocateDirect(IO_BYTES);
    private final byte[] scratch = new byte[IO_BYTES];
    private final ConcurrentLinkedQueue<Runnable> posted = new ConcurrentLinkedQueue<>();
    private LongConsumer everySweep = _ -> {};
    private long now = System.nanoTime();
    private long sweptAt = now;
    private volatile boolean closed;

    public EventLoop() throws IOException {
        selector = Selector.open();
        thread = Thread.ofPlatform().name("gateway-loop").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// The time at which the current round of events began, as [System#nanoTime].
    public long now() {
        return now;
    }

    /// A buffer for one read or write, shared by all sockets.
    public ByteBuffer io() {
        return io;
    }

    /// An array as large as [#io], shared by all sockets.
    public byte[] scratch() {
        return scratch;
    }

    public SelectionKey register(SelectableChannel channel, int interest, Handler handler)
            throws IOException {
        return channel.register(selector, interest, handler);
    }

    /// Sets what is done at every sweep, after the handlers. To be called before the start.
    public void everySweep(LongConsumer action) {
        everySweep = action;
    }

    /// Runs the task on the thread of the loop. May be called by any thread.
    public void post(Runnable task) {
        posted.add(task);
        if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    /// Asks the thread of the loop and waits for its answer. Must not be called by that thread.
    ///
    /// @throws CancellationException if the loop was closed
    public <T> T ask(Supplier<T> question) {
        if (closed) {
            throw new CancellationException("the loop is closed");
        }
        return CompletableFuture.supplyAsync(question, executor()).join();
    }

    private Executor executor() {
        return this::post;
    }

    private void run() {
        while (!closed) {
            try {
                turn();
            } catch (IOException e) {
                LOG.error("the selector failed: {}", e.toString());
            } catch (RuntimeException e) {
                LOG.error("a defect in the gateway; it continues", e);
            }
        }
    }

    private void turn() throws IOException {
        if (posted.isEmpty()) {
            selector.select(SWEEP_EVERY.toMillis());
        } else {
            selector.selectNow();
        }
        now = System.nanoTime();
        var selected = selector.selectedKeys();
        for (SelectionKey key : selected) {
            handle(key);
        }
        selected.clear();
        for (Runnable task = posted.poll(); task != null; task = posted.poll()) {
            task.run();
        }
        if (now - sweptAt >= SWEEP_EVERY.toNanos()) {
            sweptAt = now;
            sweep();
        }
    }

    private static void handle(SelectionKey key) {
        var handler = (Handler) key.attachment();
        try {
            if (key.isValid()) {
                handler.ready(key);
            }
        } catch (IOException e) {
            handler.failed(e);
        } catch (RuntimeException e) {
            LOG.error("a defect in the gateway; it closes one connection", e);
            handler.failed(e);
        }
    }

    private void sweep() {
        for (SelectionKey key : new ArrayList<>(selector.keys())) {
            if (key.isValid()) {
                ((Handler) key.attachment()).sweep(now);
            }
        }
        everySweep.accept(now);
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            if (!selector.isOpen()) {
                return;
            }
            // Nobody must wait for an answer that will not come.
            for (Runnable task = posted.poll(); task != null; task = posted.poll()) {
                task.run();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            LOG.warn("a socket could not be closed: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
