package io.gpusched.cli.command;

import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.EventConnection;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Rest;
import io.gpusched.cli.rest.Unreachable;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicBoolean;

/// Learns from live events whether something happened, without asking again and again. A thread of
/// its own reads the events.
final class NewsWatch implements AutoCloseable {
    private final Rest rest;
    private final ApiPath events;
    private final AtomicBoolean hasNews = new AtomicBoolean();
    private volatile @Nullable EventConnection stream;
    private boolean isOld;

    NewsWatch(Rest rest, ApiPath events) {
        this.rest = rest;
        this.events = events;
    }

    /// Whether events arrive. If they do not, connects again; a server without live events is not
    /// asked a second time.
    boolean isLive() {
        return stream != null || !isOld && open();
    }

    /// Whether the server sent a stream; the thread that reads it may find its end at once.
    private boolean open() {
        try {
            EventConnection opened = rest.events(events, "");
            isOld = opened == null;
            if (opened != null) {
                stream = opened;
                // Something may have happened before the stream began.
                hasNews.set(true);
                Thread.ofPlatform().name("events").daemon().start(() -> read(opened));
            }
            return opened != null;
        } catch (RequestRefused no) {
            isOld = !no.isTemporary();
        } catch (Unreachable away) {
            stream = null; // Tried again later.
        }
        return false;
    }

    private void read(EventConnection opened) {
        try (opened) {
            for (var event = opened.next(); event != null; event = opened.next()) {
                if (!event.kind().isEmpty()) {
                    hasNews.set(true);
                }
            }
        } catch (Unreachable broken) {
            hasNews.set(true);
        } finally {
            stream = null;
        }
    }

    /// Whether something happened since the last call.
    boolean take() {
        return hasNews.getAndSet(false);
    }

    @Override
    public void close() {
        EventConnection present = stream;
        if (present != null) {
            present.close();
        }
    }
}
