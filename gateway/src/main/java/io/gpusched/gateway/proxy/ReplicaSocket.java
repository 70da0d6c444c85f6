package io.gpusched.gateway.proxy;

import io.gpusched.gateway.http.AnswerHead;
import io.gpusched.gateway.http.AnswerReader;
import io.gpusched.gateway.http.BadHttp;
import io.gpusched.gateway.http.BodyFrame;
import io.gpusched.gateway.http.ByteQueue;
import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.measure.AnswerMeter;
import io.gpusched.gateway.pool.ServedReplica;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/// A connection to a replica, which carries one request at a time and is kept for the next one.
///
/// The head of an answer is kept back until the first byte of its body has come. Until then the
/// client has seen nothing, and the request can still be sent to another replica.
final class ReplicaSocket implements EventLoop.Handler {
    /// What the socket tells its owner.
    interface Owner {
        /// The request failed before its answer began.
        void failed(ReplicaSocket socket, Forwarding forwarding, Failure failure);

        /// Whether this answer is not passed on because another replica can be asked.
        boolean isRetried(Forwarding forwarding, AnswerHead head);

        void answerBegan(Forwarding forwarding, AnswerHead head, AnswerMeter meter);

        /// @param keepAlive whether the client can send another request
        void complete(ReplicaSocket socket, Forwarding forwarding, boolean keepAlive);

        /// The replica failed within its answer.
        void broken(ReplicaSocket socket, Forwarding forwarding, String reason);

        /// The socket is closed and carries no request.
        void closed(ReplicaSocket socket);
    }

    /// Why a request failed before its answer began.
    ///
    /// @param status the status for the client if it is not tried again
    /// @param refused whether the replica took no connection
    /// @param reused whether the connection had carried a request before, so that the replica may
    ///        have closed it before this request came
    /// @param retry whether another replica may be asked
    record Failure(int status, String reason, boolean refused, boolean reused, boolean retry) {}

    private final EventLoop loop;
    private final ServedReplica replica;
    private final Owner owner;
    private final ProxyLimits.Timeouts timeouts;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteQueue in = new ByteQueue();
    private final ByteQueue out = new ByteQueue();
    private AnswerReader reader = new AnswerReader();
    private @Nullable Forwarding forwarding;
    private @Nullable AnswerHead head;
    private boolean connected;
    private boolean reused;
    private boolean closed;
    private long progressAt;

    ReplicaSocket(EventLoop loop, ServedReplica replica, Owner owner, ProxyLimits.Timeouts timeouts)
            throws IOException {
        this.loop = loop;
        this.replica = replica;
        this.owner = owner;
        this.timeouts = timeouts;
        channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = channel.connect(replica.address());
            key =
                    loop.register(
                            channel,
                            connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT,
                            this);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        progressAt = loop.now();
    }

    ServedReplica replica() {
        return replica;
    }

    boolean isOpen() {
        return !closed;
    }

    long idleSince() {
        return progressAt;
    }

    void send(Forwarding next) {
        forwarding = next;
        head = null;
        in.clear();
        reader = new AnswerReader();
        progressAt = loop.now();
        byte[] start = next.head(replica.address());
        out.append(start, 0, start.length);
        out.append(next.body(), 0, next.body().length);
        try {
            if (connected) {
                flush();
            }
        } catch (IOException e) {
            // Reported from the loop, so that the caller is never called back while it sends.
            loop.post(() -> failed(e));
        }
    }

    @Override
    public void ready(SelectionKey ready) throws IOException {
        if (ready.isConnectable()) {
            channel.finishConnect();
            connected = true;
            progressAt = loop.now();
            key.interestOps(SelectionKey.OP_READ);
            flush();
        } else {
            if (ready.isWritable()) {
                flush();
            }
            if (ready.isReadable()) {
                read();
            }
        }
    }

    private void flush() throws IOException {
        int before = out.length();
        out.drainTo(channel, loop.io());
        progressAt = out.length() < before ? loop.now() : progressAt;
        interest(SelectionKey.OP_WRITE, !out.isEmpty());
    }

    private void read() throws IOException {
        ByteBuffer io = loop.io().clear();
        int length = channel.read(io);
        if (length < 0) {
            ended();
            return;
        }
        io.flip();
        progressAt = loop.now();
        Forwarding current = forwarding;
        if (current == null) {
            close();
            return;
        }
        try {
            if (current.meter != null && head != null) {
                body(current, head, io);
            } else {
                in.append(io);
                begin(current);
            }
        } catch (BadHttp e) {
            bad(e.reason());
        }
    }

    /// Looks for the head and the first byte of the body.
    private void begin(Forwarding current) throws BadHttp {
        AnswerHead found = head;
        while (found == null || found.isInterim()) {
            found = reader.read(in, current.isHead());
            if (found == null) {
                return;
            }
        }
        if (head == null && owner.isRetried(current, found)) {
            fail(new Failure(found.status(), "it answered " + found.status(), false, false, true));
            return;
        }
        head = found;
        if (in.isEmpty() && !found.frame().isComplete()) {
            return;
        }
        boolean close = closes(current, found.frame());
        byte[] first = found.forClient(replica.jobId(), close);
        var meter = new AnswerMeter(found.isEventStream());
        meter.at(loop.now());
        int end = found.frame().scan(in.array(), in.start(), in.end(), meter);
        var both = new ByteQueue();
        both.append(first, 0, first.length);
        both.append(in.array(), in.start(), end - in.start());
        boolean surplus = end < in.end();
        in.clear();
        current.meter = meter;
        owner.answerBegan(current, found, meter);
        current.client.send(ByteBuffer.wrap(both.array(), both.start(), both.length()));
        afterBytes(current, found, surplus);
    }

    private static boolean closes(Forwarding current, BodyFrame frame) {
        return !current.request.keepAlive() || frame.endsWithConnection();
    }

    private void body(Forwarding current, AnswerHead answer, ByteBuffer io) throws BadHttp {
        AnswerMeter meter = current.meter;
        int length = io.remaining();
        byte[] scratch = loop.scratch();
        io.get(scratch, 0, length);
        if (meter != null) {
            meter.at(loop.now());
        }
        int end = answer.frame().scan(scratch, 0, length, meter);
        io.position(0).limit(end);
        current.client.send(io);
        afterBytes(current, answer, end < length);
    }

    private void afterBytes(Forwarding current, AnswerHead answer, boolean surplus) {
        if (closed) {
            return;
        }
        if (answer.frame().isComplete()) {
            done(current, answer.keepAlive() && !surplus && out.isEmpty());
        } else if (current.client.isFull()) {
            interest(SelectionKey.OP_READ, false);
        }
    }

    private void done(Forwarding current, boolean keep) {
        AnswerHead answer = head;
        forwarding = null;
        head = null;
        reused = true;
        if (!keep) {
            close();
        }
        boolean clientStays =
                current.request.keepAlive()
                        && answer != null
                        && !answer.frame().endsWithConnection();
        owner.complete(this, current, clientStays);
    }

    /// The client has taken what waited for it.
    void resume() {
        progressAt = loop.now();
        interest(SelectionKey.OP_READ, true);
    }

    /// The replica closed the connection.
    private void ended() {
        Forwarding current = forwarding;
        AnswerHead answer = head;
        if (current != null
                && current.meter != null
                && answer != null
                && answer.frame().endsWithConnection()) {
            done(current, false);
        } else {
            bad("it closed the connection");
        }
    }

    private void bad(String reason) {
        Forwarding current = forwarding;
        if (current == null) {
            close();
        } else if (current.meter == null) {
            fail(new Failure(502, reason, false, reused && in.isEmpty(), true));
        } else {
            forwarding = null;
            close();
            owner.broken(this, current, reason);
        }
    }

    private void fail(Failure failure) {
        Forwarding current = forwarding;
        forwarding = null;
        close();
        if (current != null) {
            owner.failed(this, current, failure);
        }
    }

    @Override
    public void failed(Exception cause) {
        if (closed) {
            return;
        }
        if (connected) {
            bad(String.valueOf(cause.getMessage()));
        } else {
            fail(new Failure(502, "it takes no connections", true, false, true));
        }
    }

    @Override
    public void sweep(long now) {
        long silent = now - progressAt;
        Forwarding current = forwarding;
        if (current == null) {
            return;
        }
        if (!connected) {
            if (silent > timeouts.connect().toNanos()) {
                fail(new Failure(504, "it did not take a connection in time", true, false, true));
            }
        } else if (current.meter == null) {
            if (now - current.sentAt > timeouts.firstByte().toNanos()) {
                fail(new Failure(504, "it did not answer in time", false, false, false));
            }
        } else if (!current.client.isFull() && silent > timeouts.silence().toNanos()) {
            bad("it fell silent within its answer");
        }
    }

    /// Gives up the request, without a word to the owner.
    void cancel() {
        forwarding = null;
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
            owner.closed(this);
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
}
