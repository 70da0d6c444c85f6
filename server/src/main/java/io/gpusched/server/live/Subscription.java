package io.gpusched.server.live;

import io.gpusched.store.StoreException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// One listener's place among the events. The thread of the listener takes events with [#next]; the
/// feed only wakes it up.
public final class Subscription implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    /// How many events one delivery has at most, so that a listener that catches up needs little
    /// memory.
    private static final int MOST_AT_ONCE = 512;

    /// How many batches a listener may be behind the ring before it has to read the state again.
    static final long MOST_BEHIND = 20_000;

    private static final int BATCHES_AT_ONCE = 200;

    /// How many bytes of events one reading of the journal collects; the batch in which it reaches
    /// them is read to its end.
    private static final long MOST_BYTES_AT_ONCE = 1 << 20;

    private final EventFeed feed;
    private final EventRing ring;
    private final Selection selection;
    private final String owner;
    private JournalEvents.@Nullable Passage passage;
    private EventId last;
    private volatile long position;
    private volatile boolean hasNews = true;
    private volatile boolean isNudged;
    private volatile long newsSince;
    private volatile @Nullable Thread waiting;

    Subscription(EventFeed feed, EventRing ring, Selection selection, String owner, EventId last) {
        this.feed = feed;
        this.ring = ring;
        this.selection = selection;
        this.owner = owner;
        this.last = last;
        this.position = last.batch() > feed.newestBatch() ? -1 : ring.after(last);
    }

    public Selection selection() {
        return selection;
    }

    String owner() {
        return owner;
    }

    /// The place up to which this listener knows everything that it asked for.
    public EventId last() {
        return last;
    }

    /// What comes next; waits for it at most this long.
    public Delivery next(Duration longest) throws InterruptedException {
        long until = System.nanoTime() + longest.toNanos();
        while (true) {
            hasNews = false;
            newsSince = 0;
            String closed = feed.closed();
            if (!closed.isEmpty()) {
                return new Delivery.Closed(closed);
            }
            Delivery ready = position < 0 ? older() : fromRing();
            if (ready != null) {
                feed.delivered(ready);
                return ready;
            }
            if (isNudged || (!hasNews && !await(until))) {
                isNudged = false;
                return new Delivery.Quiet(last);
            }
        }
    }

    /// Events from the ring; null if there are none now.
    private @Nullable Delivery fromRing() {
        var events = new ArrayList<LiveEvent>();
        long end = ring.end();
        long at = position;
        while (at < end && events.size() < MOST_AT_ONCE) {
            LiveEvent event = ring.get(at);
            if (event == null) {
                at = ring.after(last);
                break;
            }
            last = event.id();
            at++;
            if (selection.matches(event)) {
                events.add(event);
            }
        }
        position = at;
        if (at < end) {
            hasNews = true;
        }
        return events.isEmpty() ? null : new Delivery.Events(events);
    }

    /// Events from the journal; null if there are none in the next batches. The journal is read up
    /// to where the ring begins and not further: the ring also has what the journal has not, alerts
    /// and nodes that are drained.
    private @Nullable Delivery older() throws InterruptedException {
        long newest = feed.newestBatch();
        if (last.batch() > newest) {
            return resync("this server has no event " + last);
        }
        position = ring.after(last);
        if (position >= 0) {
            passage = null;
            return fromRing();
        }
        if (newest - last.batch() > MOST_BEHIND) {
            return resync("more than %d batches were missed".formatted(MOST_BEHIND));
        }
        EventId floor = ring.floor();
        EventId until = floor.batch() > newest ? EventId.endOf(newest) : floor;
        var events = new ArrayList<LiveEvent>();
        long read = read(until, events);
        if (read == JournalEvents.GONE) {
            return resync("the journal has no events after %s any more".formatted(last));
        }
        last = read < until.batch() ? EventId.endOf(read) : until;
        hasNews = last.batch() < newest || ring.after(last) >= 0;
        return events.isEmpty() ? null : new Delivery.Events(events);
    }

    /// Adds the next events that match, a bounded number; returns the last batch that was read.
    private long read(EventId until, List<LiveEvent> into) throws InterruptedException {
        JournalEvents.Passage current = passage == null ? feed.passage() : passage;
        passage = current;
        var bytes = new AtomicLong();
        try {
            return current.next(
                    last,
                    until,
                    BATCHES_AT_ONCE,
                    event -> {
                        if (selection.matches(event)) {
                            into.add(event);
                            bytes.addAndGet(event.bytes());
                        }
                        return into.size() < MOST_AT_ONCE && bytes.get() < MOST_BYTES_AT_ONCE;
                    });
        } catch (StoreException e) {
            LOG.warn("a listener has to read the state again: {}", e.getMessage());
            return JournalEvents.GONE;
        }
    }

    private Delivery resync(String reason) {
        passage = null;
        last = ring.newest();
        position = ring.after(last);
        hasNews = true;
        return new Delivery.Resync(reason, last);
    }

    /// Waits for news; false if there were none until then.
    private boolean await(long until) throws InterruptedException {
        waiting = Thread.currentThread();
        try {
            while (!hasNews) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        } finally {
            waiting = null;
        }
    }

    /// Wakes the listener up. Any thread may call it.
    public void wake() {
        if (!hasNews) {
            newsSince = System.nanoTime();
            hasNews = true;
        }
        LockSupport.unpark(waiting);
    }

    /// Makes [#next] return soon, for a listener that has something else to do. Any thread may call
    /// it.
    public void nudge() {
        isNudged = true;
        wake();
    }

    /// How many published events the listener has not looked at.
    long behind() {
        long at = position;
        return at < 0 ? Long.MAX_VALUE : ring.end() - at;
    }

    /// How long, in nanoseconds, the listener has not taken its news.
    long lag(long now) {
        long since = newsSince;
        return since == 0 ? 0 : Math.max(0, now - since);
    }

    @Override
    public void close() {
        feed.closed(this);
    }
}
