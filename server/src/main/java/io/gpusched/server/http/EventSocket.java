package io.gpusched.server.http;

import io.gpusched.server.live.Delivery;
import io.gpusched.server.live.LiveEvent;
import io.gpusched.server.live.Subscription;
import io.gpusched.server.websocket.CloseCode;
import io.gpusched.server.websocket.FrameReader;
import io.gpusched.server.websocket.FrameWriter;
import io.gpusched.server.websocket.Message;
import io.gpusched.server.websocket.WebSocketError;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// Live events over a WebSocket. The thread of the connection writes, and a thread of its own reads
/// what the client sends.
///
/// The server sends pings, and every WebSocket client answers them by itself. So a client that only
/// listens still sends something now and then, and the connection is not taken for a silent one.
final class EventSocket implements ServerConnection {
    /// Largest message of a client.
    static final int MOST_BYTES = 8 << 10;

    private static final Duration FIRST_FRAME = Duration.ofSeconds(5);
    private static final Duration CHECK = Duration.ofSeconds(5);
    private static final Duration PING = Duration.ofSeconds(20);
    private static final int MOST_UNREAD = 16;

    private final ConnectionContext connection;
    private final EventSocketEntry entry;
    private final EventSocketEntry.@Nullable Admitted admittedByHeader;
    private final BlockingQueue<Inbound> inbox = new ArrayBlockingQueue<>(MOST_UNREAD);
    private final FrameWriter out = new FrameWriter();
    private volatile @Nullable Subscription subscription;
    private volatile boolean isOver;
    private long checkedAt = System.nanoTime();
    private long pingedAt = System.nanoTime();

    private sealed interface Inbound {
        record Received(Message message) implements Inbound {}

        /// The client broke a rule.
        record Wrong(WebSocketError error) implements Inbound {}

        /// Nothing more will come.
        record End() implements Inbound {}
    }

    EventSocket(
            ConnectionContext connection,
            EventSocketEntry entry,
            EventSocketEntry.@Nullable Admitted admittedByHeader) {
        this.connection = connection;
        this.entry = entry;
        this.admittedByHeader = admittedByHeader;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        Thread.ofVirtual().name("websocket-in-", 0).start(this::receive);
        try {
            EventSocketEntry.Admitted admitted =
                    admittedByHeader == null ? firstFrame() : admittedByHeader;
            if (admitted != null) {
                listen(admitted);
            }
        } catch (UncheckedIOException gone) {
            throw new CloseConnectionException("the client is gone", gone);
        } finally {
            isOver = true;
        }
    }

    /// Admits the caller by its first frame; null if it is not admitted.
    private EventSocketEntry.@Nullable Admitted firstFrame() throws InterruptedException {
        long until = System.nanoTime() + FIRST_FRAME.toNanos();
        String frame = "";
        while (frame.isEmpty()) {
            long left = until - System.nanoTime();
            Inbound next = left <= 0 ? null : inbox.poll(left, TimeUnit.NANOSECONDS);
            if (next == null) {
                break;
            }
            if (next instanceof Inbound.Received(Message.Text(String text)) && !text.isBlank()) {
                frame = text;
            } else {
                boolean goesOn = goesOnAfter(next);
                write();
                if (!goesOn) {
                    return null;
                }
            }
        }
        try {
            return entry.open(frame);
        } catch (HttpError refused) {
            String why = refused.getMessage() + "; " + refused.hint();
            end(StreamEnd.REFUSED, why, CloseCode.POLICY);
            return null;
        }
    }

    private void listen(EventSocketEntry.Admitted admitted) throws InterruptedException {
        HttpProtocol.upgraded(connection);
        try (Subscription events = admitted.subscribe().get()) {
            subscription = events;
            boolean goesOn = true;
            while (goesOn) {
                Delivery delivery = events.next(CHECK);
                goesOn = answerClient() && pass(delivery, events, admitted);
                write();
            }
        }
    }

    /// Collects the frames of a delivery; false after the last one.
    private boolean pass(
            Delivery delivery, Subscription events, EventSocketEntry.Admitted admitted) {
        long now = System.nanoTime();
        if (now - checkedAt >= CHECK.toNanos()) {
            checkedAt = now;
            if (!admitted.admitted().getAsBoolean()) {
                end(StreamEnd.REVOKED, "this token has been revoked", CloseCode.POLICY);
                return false;
            }
        }
        if (now - pingedAt >= PING.toNanos()) {
            pingedAt = now;
            out.ping();
        }
        switch (delivery) {
            case Delivery.Events some -> {
                boolean named = events.selection().seesAll();
                some.events().forEach(one -> text(one.encoded(named, LiveEventJson.INSTANCE)));
            }
            case Delivery.Resync resync -> text(LiveEventJson.resync(resync, true));
            case Delivery.Closed closed -> {
                end(StreamEnd.STOPPING, closed.reason(), CloseCode.GOING_AWAY);
                return false;
            }
            case Delivery.Quiet quiet -> {}
        }
        return true;
    }

    private void text(LiveEvent.Encoded encoded) {
        out.text(encoded.frame(), encoded.jsonFrom(), encoded.jsonLength());
    }

    private void end(StreamEnd why, String reason, int code) {
        text(LiveEventJson.closed(why, reason, true));
        out.close(code, reason);
        write();
    }

    /// Answers what the client has sent; false if the connection ends. It answers no more than one
    /// full inbox before the answers are written, however fast the client sends.
    private boolean answerClient() {
        boolean goesOn = true;
        for (int i = 0; i < MOST_UNREAD && goesOn; i++) {
            Inbound next = inbox.poll();
            goesOn = next == null || goesOnAfter(next);
        }
        return goesOn;
    }

    /// Text after the first frame means nothing.
    private boolean goesOnAfter(Inbound inbound) {
        return switch (inbound) {
            case Inbound.Received(Message.Ping(byte[] payload)) -> {
                out.pong(payload);
                yield true;
            }
            case Inbound.Received(Message.Close(int code, String reason)) -> {
                out.close(code, "");
                yield false;
            }
            case Inbound.Received(Message.Text text) -> true;
            case Inbound.Received(Message.Pong pong) -> true;
            case Inbound.Wrong(WebSocketError error) -> {
                out.close(error.code(), error.reason());
                yield false;
            }
            case Inbound.End() -> false;
        };
    }

    private void write() {
        if (!out.isEmpty()) {
            connection.dataWriter().writeNow(BufferData.create(out.take()));
        }
    }

    /// Reads what the client sends until it ends or breaks a rule.
    private void receive() {
        var reader = new FrameReader(connection.dataReader()::readBytes, MOST_BYTES);
        try {
            boolean goesOn = true;
            while (goesOn) {
                Message message = reader.next();
                post(new Inbound.Received(message));
                goesOn = !(message instanceof Message.Close);
            }
        } catch (WebSocketError wrong) {
            postLast(new Inbound.Wrong(wrong));
        } catch (RuntimeException gone) {
            postLast(new Inbound.End());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(Inbound inbound) throws InterruptedException {
        boolean isPosted = false;
        while (!isPosted && !isOver) {
            isPosted = inbox.offer(inbound, 1, TimeUnit.SECONDS);
            nudge();
        }
    }

    private void postLast(Inbound inbound) {
        try {
            post(inbound);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void nudge() {
        Subscription events = subscription;
        if (events != null) {
            events.nudge();
        }
    }

    @Override
    public Duration idleTime() {
        return Duration.ZERO;
    }

    /// The server stops. A listener is told so by the feed; a client that has not been admitted yet
    /// is not waited for.
    @Override
    public void close(boolean interrupt) {
        if (subscription == null) {
            inbox.offer(new Inbound.End());
        }
    }
}
