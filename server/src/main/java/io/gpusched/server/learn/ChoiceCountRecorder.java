package io.gpusched.server.learn;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.server.cell.CellUnavailable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Records the counts of choices and explorations in the journal, periodically and at the end, so
/// that the cap on exploration holds after a restart although a score itself costs no event.
///
/// The cap must hold after a crash too, when the last counts were not recorded. So explorations are
/// reserved in blocks before they are made: a record says how many there were, and how many there
/// may be until the next record. Blocks grow with the load; without explorations, all but a few are
/// given back. Only the thread of this class waits for records.
public final class ChoiceCountRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChoiceCountRecorder.class);
    private static final Duration EVERY = Duration.ofMillis(500);

    private final ScoreService scores;
    private final Consumer<Command> cell;
    private final Semaphore woken = new Semaphore(0);
    private final AtomicBoolean wanted = new AtomicBoolean();
    private volatile boolean closing;
    private final Thread thread = Thread.ofPlatform().name("score-counts").unstarted(this::run);
    private static final long SMALLEST = 16;
    private static final long LARGEST = 1 << 14;

    /// After this many passes without an exploration, reserved ones are given back.
    private static final int IDLE_ROUNDS = 4;

    private ExplorationCounts recorded;
    private long block = SMALLEST;
    private int idle;

    /// @param cell sends a command to the cell and waits until it is durable
    public ChoiceCountRecorder(ScoreService scores, Consumer<Command> cell) {
        this.scores = scores;
        this.cell = cell;
        this.recorded = scores.explorationCounts().reserving(scores.counts().doubtful());
        scores.counts().reserveBy(this::wantMore);
    }

    /// Reserves the first explorations, and records the counts from then on.
    public void start() {
        wantMore();
        keep();
        thread.start();
    }

    /// Records the last counts.
    @Override
    public void close() {
        closing = true;
        woken.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing) {
                keep();
                boolean _ = woken.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS);
            }
            giveBack(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Asks for more reserved explorations, because few or none are left. Called by threads that
    /// must not block.
    private void wantMore() {
        if (wanted.compareAndSet(false, true)) {
            woken.release();
        }
    }

    /// Whether the next [#keep] must reserve more.
    boolean wantsMore() {
        return wanted.get();
    }

    synchronized void keep() {
        boolean used = scores.explorationCounts().explored() > recorded.explored();
        idle = used ? 0 : idle + 1;
        if (wanted.get()) {
            idle = 0;
            block = recorded.reserved() == scores.counts().doubtful() ? block : larger();
            record(block);
            wanted.set(false);
        } else if (idle == IDLE_ROUNDS && ahead() > SMALLEST) {
            block = SMALLEST;
            giveBack(SMALLEST);
        } else if (scores.explorationCounts().total() > recorded.total()) {
            record(ahead() == 0 ? 0 : block);
        }
    }

    private long larger() {
        return Math.min(LARGEST, 2 * block);
    }

    /// A thread that explores at the same time either finds no reservation left or is counted here.
    private synchronized void giveBack(long all) {
        scores.counts().reserved(scores.explorationCounts().explored() + all);
        record(all);
    }

    /// The number of explorations that this process has reserved and not yet used.
    private long ahead() {
        return recorded.reserved() - scores.counts().doubtful();
    }

    private boolean record(long next) {
        ExplorationCounts now = scores.explorationCounts();
        long total = now.total() - recorded.total();
        // A choice may be counted in one reading and its exploration in the next.
        long explored = Math.clamp(now.explored() - recorded.explored(), 0, total);
        long most = recorded.explored() + explored + next;
        long doubtful = scores.counts().doubtful();
        try {
            cell.accept(new Command.CountScores(total, explored, doubtful + next));
            recorded = recorded.and(total, explored).reserving(doubtful + next);
            scores.counts().reserved(most);
            return true;
        } catch (CellUnavailable e) {
            LOG.warn("the counts of {} scores are not recorded yet: {}", total, e.getMessage());
            return false;
        }
    }
}
