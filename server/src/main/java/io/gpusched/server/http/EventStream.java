package io.gpusched.server.http;

import io.gpusched.server.live.Delivery;
import io.gpusched.server.live.EventId;
import io.gpusched.server.live.LiveEvent;
import io.gpusched.server.live.Subscription;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Writes live events as Server-Sent Events until the caller disconnects, its token is revoked, or
/// the server stops.
///
/// Everything that is ready is written at once. While nothing happens, a comment with the newest id
/// is written from time to time: it shows that the connection lives, and a caller that reconnects
/// after a quiet hour does not have to go back that hour.
final class EventStream implements Response.Source {
    static final String TYPE = "text/event-stream";

    private static final Duration ALIVE = Duration.ofSeconds(15);

    /// How often the caller's token is checked.
    private static final Duration CHECK = Duration.ofSeconds(5);

    private final Supplier<Subscription> subscribe;
    private final BooleanSupplier admitted;
    private long checkedAt = System.nanoTime();
    private long writtenAt = System.nanoTime();

    /// @param subscribe begins to listen
    /// @param admitted whether the caller's token is still valid
    EventStream(Supplier<Subscription> subscribe, BooleanSupplier admitted) {
        this.subscribe = subscribe;
        this.admitted = admitted;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try (Subscription events = subscribe.get()) {
            boolean named = events.selection().seesAll();
            write(out, "retry: 2000\n" + at(events.last()));
            boolean goesOn = true;
            while (goesOn) {
                goesOn = pass(events.next(CHECK), named, out);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server stops");
        }
    }

    /// Writes a delivery; false after the last one.
    private boolean pass(Delivery delivery, boolean named, OutputStream out) throws IOException {
        if (isRevoked()) {
            end(StreamEnd.REVOKED, "this token has been revoked", out);
            return false;
        }
        switch (delivery) {
            case Delivery.Events events -> write(out, joined(events, named));
            case Delivery.Resync resync -> write(out, LiveEventJson.resync(resync, false).frame());
            case Delivery.Closed closed -> {
                end(StreamEnd.STOPPING, closed.reason(), out);
                return false;
            }
            case Delivery.Quiet quiet -> {
                if (System.nanoTime() - writtenAt >= ALIVE.toNanos()) {
                    write(out, ": alive\n" + at(quiet.upTo()));
                }
            }
        }
        return true;
    }

    private void end(StreamEnd why, String reason, OutputStream out) throws IOException {
        write(out, LiveEventJson.closed(why, reason, false).frame());
    }

    private boolean isRevoked() {
        long now = System.nanoTime();
        if (now - checkedAt < CHECK.toNanos()) {
            return false;
        }
        checkedAt = now;
        return !admitted.getAsBoolean();
    }

    private static byte[] joined(Delivery.Events events, boolean named) {
        var all = new ByteArrayOutputStream(256 * events.events().size());
        for (LiveEvent event : events.events()) {
            all.writeBytes(event.encoded(named, LiveEventJson.INSTANCE).frame());
        }
        return all.toByteArray();
    }

    /// Sets the caller's last event id without an event.
    private static String at(EventId id) {
        return "id: " + id + "\n\n";
    }

    private void write(OutputStream out, String text) throws IOException {
        write(out, text.getBytes(StandardCharsets.US_ASCII));
    }

    private void write(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        writtenAt = System.nanoTime();
    }
}
