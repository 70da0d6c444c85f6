package io.gpusched.gateway.proxy;

import io.gpusched.gateway.http.BadHttp;
import io.gpusched.gateway.http.ByteQueue;
import io.gpusched.gateway.http.ClientRequest;
import io.gpusched.gateway.http.ClientRequestReader;
import io.gpusched.gateway.loop.EventLoop;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/// The connection of one client, which has at most one request under way.
///
/// It is read even while an answer runs, so that the gateway notices a client that goes away and
/// cancels its request.
final class ClientSocket implements EventLoop.Handler {
    /// What the socket tells its owner.
    interface Owner {
        /// The head of a request has come. The owner answers it, or reads its body first.
        void requested(ClientSocket client, ClientRequest head);

        /// The client went away.
        void closed(ClientSocket client);

        /// The bytes of [ClientSocket#send] have left, after [ClientSocket#isFull].
        void drained(ClientSocket client);
    }

    /// Bytes of an answer that wait for a slow client before the replica is no longer read.
    private static final int FULL = 256 * 1024;

    /// How long a client may go on sending what nobody reads, until it sees the answer.
    private static final Duration LINGER = Duration.ofSeconds(2);

    /// Bytes of further requests that are kept while an answer runs.
    private static final int MOST_AHEAD = 64 * 1024;

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLoop loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Owner owner;
    private final ProxyLimits limits;
    private final RequestBytes allBytes;
    private final ClientRequestReader reader;
    private final ByteQueue in = new ByteQueue();
    private final ByteQueue out = new ByteQueue();

    /// The current request on its way; null while it is not known where it goes.
    @Nullable Forwarding forwarding;

    /// The request that is read or answered, without its body.
    private @Nullable ClientRequest current;

    /// Takes the request with its body; null while the body is not read.
    private @Nullable Consumer<ClientRequest> bodyFor;

    /// Bytes of the body that was handed on and is kept until the answer is complete.
    private int bodyBytes;

    /// What this client has in [#allBytes].
    private long countedBytes;

    private boolean closing;

    /// Whether the client may still send a body that nobody reads.
    private boolean unread;

    /// When the last byte was sent to a client that may still send; 0 before that.
    private long lingersSince;

    private boolean closed;
    private boolean full;
    private long progressAt;
    private long writtenAt;

    /// When the first byte of the request that is being read came.
    private long requestBeganAt;

    ClientSocket(
            EventLoop loop,
            SocketChannel channel,
            Owner owner,
            ProxyLimits limits,
            RequestBytes allBytes)
            throws IOException {
        this.loop = loop;
        this.channel = channel;
        this.owner = owner;
        this.limits = limits;
        this.allBytes = allBytes;
        reader = new ClientRequestReader(limits.bodyBytes());
        key = loop.register(channel, SelectionKey.OP_READ, this);
        progressAt = loop.now();
    }

    @Override
    public void ready(SelectionKey ready) throws IOException {
        if (ready.isWritable()) {
            flush();
        }
        if (!closed && ready.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        ByteBuffer io = loop.io().clear();
        int length = channel.read(io);
        if (length < 0) {
            close();
            return;
        }
        progressAt = loop.now();
        if (closing) {
            return;
        }
        requestBeganAt = in.isEmpty() && current == null ? loop.now() : requestBeganAt;
        in.append(io.flip());
        if (!count()) {
            tooMany();
        } else if (isReceiving()) {
            parse();
        } else if (in.length() > MOST_AHEAD) {
            interest(SelectionKey.OP_READ, false);
        }
    }

    /// Whether the client is expected to send: a head, or a body that somebody reads.
    private boolean isReceiving() {
        return current == null || bodyFor != null;
    }

    /// Counts what is kept of this client. Returns false when it is too much.
    private boolean count() {
        long now = closed ? 0 : (long) in.length() + reader.bodyBytes() + bodyBytes;
        boolean fits = allBytes.change(countedBytes, now);
        countedBytes = now;
        return fits;
    }

    private void tooMany() {
        if (forwarding == null) {
            refuse(
                    GatewayAnswer.error(
                            503, "memory", "the gateway holds too many large requests", 5));
        } else {
            // An answer runs, into which no other one can be put.
            close();
        }
    }

    private void parse() {
        if (closed || closing || !isReceiving()) {
            return;
        }
        try {
            if (current == null) {
                ClientRequest head = reader.head(in);
                if (head != null) {
                    current = head;
                    owner.requested(this, head);
                }
            } else if (bodyFor != null) {
                ClientRequest whole = reader.body(current, in);
                if (whole != null) {
                    Consumer<ClientRequest> then = bodyFor;
                    bodyFor = null;
                    bodyBytes = whole.body().length;
                    then.accept(whole);
                }
            }
        } catch (BadHttp e) {
            refuse(GatewayAnswer.error(e.status(), "bad_request", e.reason()));
        }
    }

    /// Does what this client waits for. If that fails, the client must not wait for ever.
    void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /// Reads the body of the current request, and then passes the whole request on. Until then its
    /// bytes are left with the client, so that nobody fills the memory whose key is not known.
    void readBody(Consumer<ClientRequest> then) {
        if (closed || closing) {
            return;
        }
        bodyFor = then;
        progressAt = loop.now();
        interest(SelectionKey.OP_READ, true);
        parse();
        if (bodyFor != null && reader.takeContinueWanted()) {
            send(CONTINUE);
        }
    }

    /// Answers instead of reading on, and closes.
    private void refuse(GatewayAnswer answer) {
        closing = true;
        unread = true;
        bodyFor = null;
        in.clear();
        reader.clear();
        count();
        send(answer.bytes(true, false));
        closeWhenSent();
    }

    /// Whether an answer can be sent.
    boolean isOpen() {
        return !closed && !closing;
    }

    /// Whether so much waits for the client that no more should be sent for now.
    boolean isFull() {
        return full;
    }

    void send(byte[] bytes) {
        send(ByteBuffer.wrap(bytes));
    }

    /// Sends what remains in the buffer, which may be the one that the loop shares.
    void send(ByteBuffer bytes) {
        if (closed) {
            return;
        }
        try {
            if (out.isEmpty()) {
                writtenAt = loop.now();
                channel.write(bytes);
            }
            if (bytes.hasRemaining()) {
                out.append(bytes);
                full = out.length() > FULL;
                interest(SelectionKey.OP_WRITE, true);
            }
        } catch (IOException e) {
            close();
        }
    }

    /// Sends a whole answer of the gateway.
    void answer(GatewayAnswer answer, boolean close) {
        ClientRequest request = current;
        // What is left of a body that nobody reads would look like the next request.
        unread = reader.isWithinBody();
        boolean last = close || unread || request == null || !request.keepAlive();
        boolean bodyless = request != null && request.method().equals("HEAD");
        send(answer.bytes(last, bodyless));
        finish(!last);
    }

    /// The answer of the current request is complete.
    void finish(boolean keepAlive) {
        current = null;
        forwarding = null;
        bodyFor = null;
        bodyBytes = 0;
        count();
        progressAt = loop.now();
        if (!keepAlive) {
            closing = true;
            closeWhenSent();
        } else if (!closed && !in.isEmpty()) {
            requestBeganAt = loop.now();
            interest(SelectionKey.OP_READ, true);
            loop.post(() -> guarded(this::parse));
        }
    }

    private void flush() throws IOException {
        int before = out.length();
        out.drainTo(channel, loop.io());
        if (out.length() < before) {
            writtenAt = loop.now();
        }
        if (out.isEmpty()) {
            interest(SelectionKey.OP_WRITE, false);
            closeWhenSent();
        }
        if (full && out.length() < FULL / 2) {
            full = false;
            owner.drained(this);
        }
    }

    private void closeWhenSent() {
        if (!closing || closed || !out.isEmpty()) {
            return;
        }
        if (!unread) {
            close();
        } else if (lingersSince == 0) {
            linger();
        }
    }

    /// Ends the answer and takes what the client still sends. Closing at once would reset the
    /// connection, and the client would not see the answer.
    private void linger() {
        lingersSince = loop.now();
        in.clear();
        count();
        interest(SelectionKey.OP_READ, true);
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            close();
        }
    }

    private void interest(int operation, boolean on) {
        if (key.isValid()) {
            int now = key.interestOps();
            int wanted = on ? now | operation : now & ~operation;
            if (wanted != now) {
                key.interestOps(wanted);
            }
        }
    }

    @Override
    public void sweep(long now) {
        var timeouts = limits.timeouts();
        if (lingersSince != 0) {
            if (now - lingersSince > LINGER.toNanos()) {
                close();
            }
        } else if (!out.isEmpty() && now - writtenAt > timeouts.client().toNanos()) {
            close();
        } else if (isReceiving() && out.isEmpty()) {
            boolean within = bodyFor != null || !in.isEmpty();
            if (within && isLate(now, timeouts.client().toNanos())) {
                refuse(GatewayAnswer.error(408, "timeout", "the request did not arrive in time"));
            } else if (!within && now - progressAt > timeouts.idle().toNanos()) {
                close();
            }
        }
    }

    /// A client that sends nothing is late at once, one that sends byte by byte after a while.
    private boolean isLate(long now, long patience) {
        return now - progressAt > patience || now - requestBeganAt > 4 * patience;
    }

    @Override
    public void failed(Exception cause) {
        close();
    }

    void close() {
        if (!closed) {
            closed = true;
            key.cancel();
            try {
                channel.close();
            } catch (IOException _) {
                // The socket is gone either way.
            }
            count();
            owner.closed(this);
        }
    }
}
