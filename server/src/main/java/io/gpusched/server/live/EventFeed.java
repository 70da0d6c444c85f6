package io.gpusched.server.live;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.ClusterView;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.live.LiveEvent.About;
import io.gpusched.server.live.LiveEvent.Wording;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Passes live events from the follower to all listeners.
///
/// The follower's thread only translates events and puts them into the ring; they become visible
/// together with the view of their batch, so a listener that asks about an event's job gets an
/// answer that contains the event. The [Notifier] then wakes the listeners that may have news, at
/// most once in a while, so that many events cost each listener few wake-ups. A listener that is
/// too slow for the ring reads the journal, and one that is too slow for that is told to read the
/// state again. Nothing ever waits for a listener.
public final class EventFeed implements Follower.BatchListener, AutoCloseable {
    private static final int MOST_EVENTS = 1 << 16;
    private static final long MOST_BYTES = 48 << 20;

    /// The ring takes at most this part of the heap.
    private static final int PART_OF_HEAP = 16;

    /// How many batches of the journal a list looks through.
    private static final int MOST_LISTED_BATCHES = 2000;

    /// How long a server that stops waits for its listeners.
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(2);

    private static final String STOPPING = "the server is shutting down";

    /// Alerts have indices from here on, after all events of a batch.
    private static final int FIRST_ALERT = 1_000_000_000;

    private final EventRing ring;
    private final EventTranslator translator;
    private final Set<Subscription> listeners = ConcurrentHashMap.newKeySet();
    private final Notifier notifier = new Notifier(this);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong resyncs = new AtomicLong();
    private @Nullable JournalEvents journal;
    private long added;
    private int alerts;
    private volatile long newestBatch;
    private volatile String closed = "";

    /// @param state the cluster before the first batch that is passed to this feed
    /// @param batch the last batch in that state
    /// @param policy the policy in force then; empty if it is not known
    public EventFeed(ClusterView state, long batch, String policy) {
        this(state, batch, policy, new EventRing(MOST_EVENTS, mostBytes(), EventId.endOf(batch)));
    }

    private static long mostBytes() {
        return Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    EventFeed(ClusterView state, long batch, String policy, EventRing ring) {
        this.ring = ring;
        this.translator = EventTranslator.after(state, policy);
        this.newestBatch = batch;
        this.added = batch;
    }

    /// Begins to wake listeners.
    ///
    /// @param older where events are read that the ring no longer has
    public void start(JournalEvents older) {
        journal = older;
        notifier.start();
    }

    /// Adds a batch that was applied to this state. A start passes the batches that it replays, so
    /// that listeners can continue across a restart.
    public void add(Batch batch, ClusterView state) {
        synchronized (ring) {
            translator.translate(batch, job -> tenantOf(job, state), ring::add);
            translator.drained(batch, state, ring::add);
            added = batch.number();
        }
    }

    private static @Nullable TenantId tenantOf(JobId id, ClusterView state) {
        Job job = state.job(id);
        return job == null ? null : job.tenant();
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        add(batch, engine.state());
    }

    /// Shows everything that was added to listeners.
    @Override
    public void published() {
        synchronized (ring) {
            ring.publish(added);
            newestBatch = added;
        }
        notifier.signal();
    }

    /// Alerts follow the newest batch that listeners can see. One that comes while a batch is being
    /// added follows that batch. Any thread may call it, and it never waits for a listener.
    public void publish(AlertNews news) {
        synchronized (ring) {
            ring.add(
                    new LiveEvent(
                            new EventId(added, FIRST_ALERT + alerts++),
                            news.at(),
                            news.isResolved() ? EventKind.ALERT_RESOLVED : EventKind.ALERT,
                            new About(news.job(), news.tenant(), nodes(news), false),
                            Wording.of(news.message())));
            if (added == newestBatch) {
                ring.publish(added);
            }
        }
        notifier.signal();
    }

    private static List<NodeId> nodes(AlertNews news) {
        NodeId node = news.node();
        return node == null ? List.of() : List.of(node);
    }

    /// Adds a listener.
    ///
    /// @param owner the caller, for the limit of listeners of one caller
    /// @param after the last event that it knows; null for now
    public Subscription subscribe(Selection selection, String owner, @Nullable EventId after) {
        var subscription =
                new Subscription(
                        this, ring, selection, owner, after == null ? ring.newest() : after);
        listeners.add(subscription);
        return subscription;
    }

    void closed(Subscription subscription) {
        listeners.remove(subscription);
    }

    Set<Subscription> listeners() {
        return listeners;
    }

    EventRing ring() {
        return ring;
    }

    JournalEvents.Passage passage() {
        return journal().passage();
    }

    private JournalEvents journal() {
        JournalEvents older = journal;
        if (older == null) {
            throw new IllegalStateException("the feed was not started");
        }
        return older;
    }

    long newestBatch() {
        return newestBatch;
    }

    /// Why there are no more events; empty while there are.
    String closed() {
        return closed;
    }

    void delivered(Delivery delivery) {
        switch (delivery) {
            case Delivery.Events events -> sent.addAndGet(events.events().size());
            case Delivery.Resync resync -> resyncs.incrementAndGet();
            case Delivery.Quiet quiet -> {}
            case Delivery.Closed end -> {}
        }
    }

    /// The newest events that match, oldest first: from the ring, and if they are too few, from the
    /// last batches of the journal before it.
    public List<LiveEvent> newest(Selection selection, int most) throws InterruptedException {
        if (most <= 0) {
            return List.of();
        }
        var found = new ArrayList<LiveEvent>();
        long number = ring.end() - 1;
        EventId oldest = ring.newest();
        for (LiveEvent event = ring.get(number); event != null; event = ring.get(--number)) {
            oldest = event.id();
            if (selection.matches(event)) {
                found.addFirst(event);
                if (found.size() == most) {
                    return found;
                }
            }
        }
        found.addAll(0, older(selection, oldest, most - found.size()));
        return found;
    }

    private List<LiveEvent> older(Selection selection, EventId before, int most)
            throws InterruptedException {
        long first = Math.max(journal().base(), before.batch() - MOST_LISTED_BATCHES);
        var kept = new ArrayDeque<LiveEvent>();
        passage()
                .next(
                        EventId.endOf(first),
                        before,
                        MOST_LISTED_BATCHES,
                        event -> {
                            if (before.isAfter(event.id()) && selection.matches(event)) {
                                if (kept.size() == most) {
                                    kept.removeFirst();
                                }
                                kept.addLast(event);
                            }
                            return true;
                        });
        return List.copyOf(kept);
    }

    /// How many listeners there are.
    public int listening() {
        return listeners.size();
    }

    /// How many listeners this caller has.
    public long listening(String owner) {
        return listeners.stream().filter(one -> one.owner().equals(owner)).count();
    }

    /// How many events were handed to listeners.
    public long sent() {
        return sent.get();
    }

    /// How often a listener was told to read the state again.
    public long resyncs() {
        return resyncs.get();
    }

    /// How long the slowest listener has not taken its news, in seconds.
    public double lagSeconds() {
        long now = System.nanoTime();
        return listeners.stream().mapToLong(one -> one.lag(now)).max().orElse(0) / 1e9;
    }

    /// Ends all streams, and gives the listeners a moment to pass that on to their clients, before
    /// the port takes their connections away.
    public void endStreams() {
        closed = STOPPING;
        listeners.forEach(Subscription::wake);
        long until = System.nanoTime() + LONGEST_FAREWELL.toNanos();
        while (!listeners.isEmpty() && System.nanoTime() < until) {
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    /// Stops the thread that wakes listeners. Streams that are still open end too.
    @Override
    public void close() {
        closed = STOPPING;
        notifier.close();
        listeners.forEach(Subscription::wake);
    }
}
