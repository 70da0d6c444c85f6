package io.gpusched.server.whatif;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.Follower;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A second policy that decides on the same input as the policy in force, on a thread of its own.
/// Its decisions have no effect; they are only compared.
///
/// It receives only durable batches, in a bounded queue that never blocks. It starts from a copy of
/// the ledger. When the queue is full, it throws away what it has, and starts again from a fresh
/// copy: a resync. When the policy in force changes, it starts again too, because the comparison
/// would mix two policies, and perhaps with another policy in the shadow. Only a failure, which is
/// a bug, stops it until then.
public final class ShadowPolicy implements Follower.BatchListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowPolicy.class);

    private static final Duration MOST_BEHIND = Duration.ofHours(1);
    private static final long MOST_EVENTS = 200_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long IDLE = -1;

    /// @param mostBatches batches that may wait for the shadow
    /// @param mostWaiting jobs that may wait in the shadow's queue
    /// @param gap the shortest time between two resyncs: a copy of a large ledger is expensive, and
    ///        a shadow that is too slow for the load would make one copy after the other
    /// @param freshness the shortest time between two pictures: each walks over all open jobs
    public record Limits(int mostBatches, long mostWaiting, Duration gap, Duration freshness) {
        public static final Limits USUAL =
                new Limits(20_000, 1_000_000, Duration.ofMinutes(1), PAUSE);
    }

    /// Copies the ledger as it is now. Throws [CellUnavailable] if that is not possible now.
    public interface Ledger {
        ShadowReplay.Beginning copy();
    }

    /// How often the shadow started again because it could not keep up, and why it last did.
    public record Resyncs(long count, String last) {}

    private final Supplier<String> choice;
    private final SchedulerConfig.Known configs;
    private final Limits limits;
    private final ArrayBlockingQueue<Batch> queue;
    private final Semaphore wakeUps = new Semaphore(0);
    private volatile ShadowReplay.@Nullable Picture picture;
    private volatile String policy;
    private volatile String stopped = "";
    private volatile Resyncs resyncs = new Resyncs(0, "");
    private volatile boolean closed;

    /// Counts the times that the replay had to begin again. A replay ends when it has grown since.
    private volatile long life;

    private boolean accepts;

    /// The last batch that the queue did not take. A copy of the ledger must include it.
    private long dropped;

    private ShadowReplay.@Nullable Beginning first;
    private long restsUntil = System.nanoTime();
    private @Nullable Thread thread;

    /// @param choice the name of the policy to run; empty for none. It is asked again when the
    ///        policy in force changes, after that change is known
    public ShadowPolicy(Supplier<String> choice, SchedulerConfig.Known configs, Limits limits) {
        this.choice = choice;
        this.configs = configs;
        this.limits = limits;
        this.queue = new ArrayBlockingQueue<>(limits.mostBatches);
        this.policy = choice.get();
    }

    /// Begins with this state, and not with a copy of a later one. Every batch after it must
    /// follow.
    public synchronized ShadowPolicy beginningWith(ShadowReplay.Beginning beginning) {
        first = beginning;
        accepts = true;
        return this;
    }

    @SuppressWarnings("ThreadPriorityCheck") // A hint that the system may ignore.
    public ShadowPolicy start(Ledger ledger) {
        thread =
                Thread.ofPlatform()
                        .name("shadow")
                        .priority(Thread.MIN_PRIORITY)
                        .daemon()
                        .start(() -> run(ledger));
        return this;
    }

    /// The name of the shadow policy; empty if there is none.
    public String policy() {
        return policy;
    }

    /// Why it has stopped; empty while it runs.
    public String stopped() {
        return stopped;
    }

    public Resyncs resyncs() {
        return resyncs;
    }

    /// The latest comparison; null before the first, and when it has stopped.
    public ShadowReplay.@Nullable Picture picture() {
        return picture;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        boolean changed = false;
        for (Event fact : batch.facts()) {
            changed |= fact instanceof Event.PolicyChanged;
        }
        if (changed) {
            policyChanged(batch);
        } else {
            offer(batch);
        }
    }

    private synchronized void policyChanged(Batch batch) {
        dropped = batch.number();
        policy = choice.get();
        stopped = "";
        restsUntil = System.nanoTime();
        beginAgain();
    }

    private synchronized void offer(Batch batch) {
        if (accepts && !queue.offer(batch)) {
            resync(limits.mostBatches + " batches waited for it", life);
        }
        dropped = accepts ? dropped : batch.number();
    }

    /// A replay that was given up meanwhile has no reason to start again.
    private synchronized void resync(String why, long mine) {
        if (life == mine) {
            resyncs = new Resyncs(resyncs.count + 1, why);
            LOG.warn("the shadow policy {} starts again from the present state: {}", policy, why);
            beginAgain();
        }
    }

    private synchronized void beginAgain() {
        accepts = false;
        first = null;
        queue.clear();
        picture = null;
        life++;
        wakeUps.release();
    }

    private void run(Ledger ledger) {
        try {
            while (!closed) {
                long mine = begin();
                if (mine == IDLE) {
                    boolean _ = wakeUps.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                } else {
                    follow(ledger, mine);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Accepts batches from now on, before the ledger is copied: none may be missing after the
    /// copy. The answer is [#IDLE] if there is nothing to begin now.
    private synchronized long begin() {
        if (policy.isEmpty() || !stopped.isEmpty() || System.nanoTime() - restsUntil < 0) {
            return IDLE;
        }
        restsUntil = System.nanoTime() + limits.gap.toNanos();
        wakeUps.drainPermits();
        accepts = true;
        return life;
    }

    private void follow(Ledger ledger, long mine) throws InterruptedException {
        try {
            ShadowReplay.Beginning from = beginning(ledger);
            var replay = new ShadowReplay(from, policy, "", configs, MOST_BEHIND, MOST_EVENTS);
            follow(replay, from.image().batch(), mine);
        } catch (CellUnavailable busy) {
            resync("the present state cannot be copied: " + busy.getMessage(), mine);
        } catch (RuntimeException | Error broken) {
            stop(broken, mine);
        }
    }

    /// A state that includes every batch that the queue did not take. The copy may be a batch
    /// older, because the follower passes a batch to this listener first.
    private ShadowReplay.Beginning beginning(Ledger ledger) {
        ShadowReplay.Beginning given = takeFirst();
        while (given == null || given.image().batch() < lastDropped()) {
            given = ledger.copy();
        }
        return given;
    }

    private synchronized ShadowReplay.@Nullable Beginning takeFirst() {
        ShadowReplay.Beginning given = first;
        first = null;
        return given;
    }

    private synchronized long lastDropped() {
        return dropped;
    }

    private void follow(ShadowReplay replay, long copied, long mine) throws InterruptedException {
        long wait = Math.min(PAUSE.toMillis(), limits.freshness.toMillis());
        long last = copied;
        show(replay, mine);
        long inPicture = last;
        long shown = System.nanoTime();
        while (!closed && life == mine) {
            Batch batch = queue.poll(wait, TimeUnit.MILLISECONDS);
            if (batch != null && batch.number() > last + 1) {
                resync("batch " + (last + 1) + " is missing", mine);
            } else if (batch != null && batch.number() == last + 1 && life == mine) {
                replay.hear(batch);
                last++;
            }
            if (replay.waiting() > limits.mostWaiting) {
                resync("more than " + limits.mostWaiting + " jobs wait under it", mine);
            }
            if (last > inPicture && System.nanoTime() - shown >= limits.freshness.toNanos()) {
                show(replay, mine);
                inPicture = last;
                shown = System.nanoTime();
            }
        }
    }

    private void show(ShadowReplay replay, long mine) {
        ShadowReplay.Picture now = replay.picture();
        synchronized (this) {
            picture = life == mine ? now : picture;
        }
    }

    /// A failure of a replay that was given up meanwhile does not matter. The comparison of one
    /// that failed is thrown away: nobody may act on a verdict that no longer changes.
    private synchronized void stop(Throwable broken, long mine) {
        if (life == mine) {
            picture = null;
            stopped = "it failed: " + broken;
            accepts = false;
            queue.clear();
            LOG.warn("the shadow policy {} has stopped", policy, broken);
        }
    }

    @Override
    public void close() {
        closed = true;
        wakeUps.release();
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
