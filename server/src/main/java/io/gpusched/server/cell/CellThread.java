package io.gpusched.server.cell;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The thread that owns the cell. In a loop, it takes everything that has arrived in the
/// [CommandGateway] and hands it to the cell with the current time.
///
/// The journals of `store` block this thread until the batch is written: one large batch is written
/// faster than many small ones, and under load inputs gather meanwhile. When the store is in
/// trouble the thread stands still and the inbox fills. The thread may be a few cycles ahead of the
/// follower, which releases the answers.
public final class CellThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellThread.class);

    /// Cycles that may be decided before their answers are released, which happens when the
    /// follower has applied their batch. A cycle that recorded nothing counts too, until the
    /// follower has applied the newest batch before it.
    private static final int IN_FLIGHT = 2;

    private static final int LARGEST_BATCH = 8192;

    /// A batch becomes one row of the journal, so its size is limited to what databases handle
    /// well.
    private static final long HEAVIEST_BATCH = 16L << 20;

    private static final Duration SHORTEST_NAP = Duration.ofMillis(1);

    /// If more time passes between two cycles, orders to agents were late: the store did not
    /// answer, the process was suspended, or the clock was set.
    private static final Duration LATE = Duration.ofSeconds(10);

    private final CommandGateway gateway;
    private final TimedJournal journal;
    private final Cell cell;
    private final Follower follower;
    private final InstantSource clock;
    private final Duration longestNap;
    private final CycleListener cycleListener;
    private final Consumer<Throwable> onDeath;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Semaphore places = new Semaphore(IN_FLIGHT);
    private final Thread thread;
    private Instant decidedAt = Instant.EPOCH;
    private volatile @Nullable Throwable death;

    /// Receives how long each cycle took.
    public interface CycleListener {
        /// A cycle has decided; `nanos` leaves out the time in the journal.
        void took(int inputs, long nanos);

        /// The batch of a cycle was appended to the journal.
        void appended(long nanos);
    }

    /// @param journal the journal that the cell appends to
    public CellThread(
            CommandGateway gateway,
            Cell cell,
            TimedJournal journal,
            Follower follower,
            InstantSource clock,
            Duration longestNap,
            CycleListener cycleListener,
            Consumer<Throwable> onDeath) {
        this.gateway = gateway;
        this.cell = cell;
        this.journal = journal;
        this.follower = follower;
        this.clock = clock;
        this.longestNap = longestNap;
        this.cycleListener = cycleListener;
        this.onDeath = onDeath;
        this.thread = Thread.ofPlatform().name("cell").unstarted(this::run);
    }

    public void start() {
        thread.start();
        Thread.ofPlatform().name("request-timeouts").daemon().start(this::expireRequests);
    }

    /// The store may block the cell's thread, so another thread expires requests.
    private void expireRequests() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                gateway.expireOldRequests();
            }
            gateway.expireAllRequests();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Why the thread ended; null while it works.
    public @Nullable Throwable death() {
        return death;
    }

    /// Refuses new inputs, decides what has arrived so far, waits until that is durable and the
    /// follower has applied it, and ends.
    @Override
    public void close() {
        gateway.close();
        try {
            thread.join(CommandGateway.ANSWER_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed.countDown();
    }

    private void run() {
        decidedAt = clock.instant();
        try {
            while (!gateway.isClosed() || gateway.waiting() > 0) {
                cycle();
            }
            places.acquire(IN_FLIGHT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            death = broken;
            gateway.close();
            gateway.expireAllRequests();
            LOG.error("the scheduler has stopped deciding", broken);
            onDeath.accept(broken);
        }
    }

    private void cycle() throws InterruptedException {
        Duration patience = gateway.isClosed() ? SHORTEST_NAP : nap();
        List<Inbox.Envelope> envelopes = gateway.take(patience, LARGEST_BATCH, HEAVIEST_BATCH);
        places.acquire();
        decide(envelopes);
    }

    private void decide(List<Inbox.Envelope> envelopes) {
        var inputs = new ArrayList<Input>(envelopes.size());
        for (Inbox.Envelope envelope : envelopes) {
            inputs.add(envelope.input());
        }
        Instant now = clock.instant();
        Duration late = Duration.between(decidedAt, now).minus(longestNap);
        decidedAt = now;
        if (late.compareTo(LATE) > 0) {
            LOG.warn(
                    "no order could be sent for {} s; starting tasks get their full time again",
                    late.toSeconds());
            inputs.add(new Report.OrdersDelayed(late));
        }
        long began = System.nanoTime();
        cell.handle(inputs, now, answers -> release(envelopes, answers));
        long appending = journal.takeNanos();
        cycleListener.took(inputs.size(), System.nanoTime() - began - appending);
        if (appending > 0) {
            cycleListener.appended(appending);
        }
    }

    /// Called when the batch is durable, or at once when the cycle recorded nothing. In that case
    /// an answer may refer to an earlier batch (a repeated submission does), so it waits until the
    /// follower has applied the newest one. A journal may call from a thread of its own, which must
    /// not read the cell.
    private void release(List<Inbox.Envelope> envelopes, List<Answer> answers) {
        long after = Thread.currentThread().equals(thread) ? cell.engine().lastBatch() : 0;
        follower.release(
                after,
                () -> {
                    places.release();
                    for (int i = 0; i < envelopes.size(); i++) {
                        envelopes.get(i).answered().accept(answers.get(i));
                    }
                });
    }

    private Duration nap() {
        Instant now = clock.instant();
        Instant due = cell.wakeAfter(now);
        if (due == null) {
            return longestNap;
        }
        Duration until = Duration.between(now, due);
        if (until.compareTo(SHORTEST_NAP) < 0) {
            return SHORTEST_NAP;
        }
        return until.compareTo(longestNap) < 0 ? until : longestNap;
    }
}
