package io.gpusched.server.learn;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.CommandGateway;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Has the counts of choices recorded now and then, and once more at the end: the cap holds beyond
/// a restart, and a score costs no event.
///
/// The cap must hold beyond a crash too, when nobody is left to record the last counts. So
/// explorations are reserved before they are made, a block at a time: a record says how many there
/// were, and how many there may be until the next one. The busier, the larger the blocks; when
/// nobody explores, all but a few are given back. Only the thread of the keeper waits for records.
public final class ChoiceCountRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChoiceCountRecorder.class);
    private static final Duration EVERY = Duration.ofMillis(500);

    private final ScoreService desk;
    private final CommandGateway commandGateway;
    private final Semaphore woken = new Semaphore(0);
    private final AtomicBoolean wanted = new AtomicBoolean();
    private volatile boolean closing;
    private final Thread thread = Thread.ofPlatform().name("score-counts").unstarted(this::run);
    private static final long SMALLEST = 16;
    private static final long LARGEST = 1 << 14;

    /// After so many rounds without exploring, what is reserved is given back.
    private static final int IDLE_ROUNDS = 4;

    private ExplorationCounts recorded;
    private long block = SMALLEST;
    private int idle;

    public ChoiceCountRecorder(ScoreService desk, CommandGateway commandGateway) {
        this.desk = desk;
        this.commandGateway = commandGateway;
        this.recorded = desk.explorationCounts().reserving(desk.counts().doubtful());
        desk.counts().reserveBy(this::wantMore);
    }

    /// Reserves the first few explorations, and keeps the counts from then on.
    public void start() {
        wantMore();
        keep();
        thread.start();
    }

    /// Records what is left to be recorded.
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

    /// Little or nothing is left of what was reserved. Called by threads that must not wait.
    private void wantMore() {
        if (wanted.compareAndSet(false, true)) {
            woken.release();
        }
    }

    /// Whether more is to be reserved by the next [#keep].
    boolean wantsMore() {
        return wanted.get();
    }

    synchronized void keep() {
        boolean used = desk.explorationCounts().explored() > recorded.explored();
        idle = used ? 0 : idle + 1;
        if (wanted.get()) {
            idle = 0;
            block = recorded.reserved() == desk.counts().doubtful() ? block : larger();
            record(block);
            wanted.set(false);
        } else if (idle == IDLE_ROUNDS && ahead() > SMALLEST) {
            block = SMALLEST;
            giveBack(SMALLEST);
        } else if (desk.explorationCounts().total() > recorded.total()) {
            record(ahead() == 0 ? 0 : block);
        }
    }

    private long larger() {
        return Math.min(LARGEST, 2 * block);
    }

    /// Who explores while this is done finds that it may not any more, or is counted here.
    private synchronized void giveBack(long all) {
        desk.counts().reserved(desk.explorationCounts().explored() + all);
        record(all);
    }

    /// What is reserved beyond what is counted, in this life.
    private long ahead() {
        return recorded.reserved() - desk.counts().doubtful();
    }

    private boolean record(long next) {
        ExplorationCounts now = desk.explorationCounts();
        long total = now.total() - recorded.total();
        // A choice may be counted in one reading and its exploring in the next.
        long explored = Math.clamp(now.explored() - recorded.explored(), 0, total);
        long most = recorded.explored() + explored + next;
        long doubtful = desk.counts().doubtful();
        try {
            commandGateway.ask(new Command.CountScores(total, explored, doubtful + next));
            recorded = recorded.and(total, explored).reserving(doubtful + next);
            desk.counts().reserved(most);
            return true;
        } catch (CellUnavailable e) {
            LOG.warn("{} scores could not be recorded yet: {}", total, e.getMessage());
            return false;
        }
    }
}
