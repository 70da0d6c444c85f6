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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Owns the cell: takes everything that has arrived, hands it to the cell with the real time, and
/// does so again.
///
/// The journals of `store` keep this thread until the batch is written: one large batch is written
/// faster than many small ones, and under load inputs gather meanwhile. When the store is in
/// trouble it stands still and the inbox fills. It may be a few rounds ahead of the follower, which
/// lets answers out.
public final class CellThread implements CommandGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellThread.class);

    /// Rounds that may be decided before their answers are out, which is when the follower has
    /// their batch. A round that recorded nothing takes a place too, and gives it back when the
    /// newest batch before it is followed.
    private static final int IN_FLIGHT = 2;

    private static final int LARGEST_BATCH = 8192;

    /// A batch becomes one row of the journal, which must stay a size that databases like.
    private static final long HEAVIEST_BATCH = 16L << 20;

    private static final Duration SHORTEST_NAP = Duration.ofMillis(1);

    /// Beyond this much time between two rounds, orders were late: the store did not answer, the
    /// process was stopped, or the clock was set.
    private static final Duration LATE = Duration.ofSeconds(10);

    /// How long a request waits for its answer.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TimedJournal journal;
    private final Cell cell;
    private final Follower follower;
    private final InstantSource clock;
    private final Duration longestNap;
    private final CycleListener cycleListener;
    private final Consumer<Throwable> onDeath;
    private final Inbox inbox = new Inbox(1 << 16);
    private final PendingAnswers pendingAnswers = new PendingAnswers(PATIENCE);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Semaphore places = new Semaphore(IN_FLIGHT);
    private final Thread thread;
    private Instant decidedAt = Instant.EPOCH;
    private volatile boolean stopping;
    private volatile @Nullable Throwable death;

    /// Hears how long things take.
    public interface CycleListener {
        /// A round of deciding, without the journal.
        void took(int inputs, long nanos);

        /// Making its batch durable.
        void appended(long nanos);
    }

    /// @param journal the one the cell appends to
    public CellThread(
            Cell cell,
            TimedJournal journal,
            Follower follower,
            InstantSource clock,
            Duration longestNap,
            CycleListener cycleListener,
            Consumer<Throwable> onDeath) {
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
        Thread.ofPlatform().name("patience").daemon().start(this::watchTheTime);
    }

    /// This thread may be kept by the store, so another one looks after those who wait for it.
    private void watchTheTime() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                pendingAnswers.giveUpOld();
            }
            pendingAnswers.giveUpAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Answer ask(Input input) {
        checkOpen();
        PendingAnswer pendingAnswer = pendingAnswers.begin();
        try {
            if (!inbox.offer(new Inbox.Envelope(input, pendingAnswer))) {
                throw new CellUnavailable("the scheduler cannot keep up", false);
            }
            Answer answer = pendingAnswer.await();
            if (answer == null) {
                throw new CellUnavailable("no answer within " + PATIENCE.toSeconds() + " s", true);
            }
            return answer;
        } finally {
            pendingAnswers.end(pendingAnswer);
        }
    }

    @Override
    public void tell(Input input, BooleanSupplier wanted, Consumer<Answer> answered) {
        var envelope = new Inbox.Envelope(input, wanted, answered);
        try {
            do {
                checkOpen();
            } while (!inbox.put(envelope, longestNap));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CellUnavailable("interrupted while waiting for room", false);
        }
    }

    private void checkOpen() {
        if (stopping || death != null) {
            throw new CellUnavailable("the scheduler is stopping", false);
        }
    }

    /// What is wrong with the thread; null while it works.
    public @Nullable Throwable death() {
        return death;
    }

    public int waiting() {
        return inbox.size();
    }

    /// Takes what has arrived so far, waits until it is durable and followed, and ends.
    @Override
    public void close() {
        stopping = true;
        inbox.ring();
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed.countDown();
    }

    private void run() {
        decidedAt = clock.instant();
        try {
            while (!stopping || inbox.size() > 0) {
                round();
            }
            places.acquire(IN_FLIGHT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            death = broken;
            pendingAnswers.giveUpAll();
            LOG.error("the scheduler has stopped deciding", broken);
            onDeath.accept(broken);
        }
    }

    private void round() throws InterruptedException {
        List<Inbox.Envelope> letters =
                inbox.take(stopping ? SHORTEST_NAP : nap(), LARGEST_BATCH, HEAVIEST_BATCH);
        places.acquire();
        decide(letters);
    }

    private void decide(List<Inbox.Envelope> letters) {
        var inputs = new ArrayList<Input>(letters.size());
        for (Inbox.Envelope envelope : letters) {
            inputs.add(envelope.input());
        }
        Instant now = clock.instant();
        Duration late = Duration.between(decidedAt, now).minus(longestNap);
        decidedAt = now;
        if (late.compareTo(LATE) > 0) {
            LOG.warn(
                    "no order could be sent for {} s; what starts has its full time again",
                    late.toSeconds());
            inputs.add(new Report.OrdersDelayed(late));
        }
        long began = System.nanoTime();
        cell.handle(inputs, now, answers -> release(letters, answers));
        long appending = journal.takeNanos();
        cycleListener.took(inputs.size(), System.nanoTime() - began - appending);
        if (appending > 0) {
            cycleListener.appended(appending);
        }
    }

    /// Called when the batch is durable, or at once when there was nothing to make durable: then
    /// an answer may speak of an earlier batch (a repeated submission does), so it waits until the
    /// newest is followed. A journal may call from a thread of its own, which must not look into
    /// the cell.
    private void release(List<Inbox.Envelope> letters, List<Answer> answers) {
        long after = Thread.currentThread().equals(thread) ? cell.engine().lastBatch() : 0;
        follower.release(
                after,
                () -> {
                    places.release();
                    for (int i = 0; i < letters.size(); i++) {
                        letters.get(i).answered().accept(answers.get(i));
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
