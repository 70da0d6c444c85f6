package io.gpusched.server.cell;

import io.gpusched.store.SqlJournal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Checks regularly that this server still owns the journal, also while nothing is written to it.
///
/// The lease of an agent is counted from the last time the store confirmed ownership, so
/// confirmations must keep coming. A server that was replaced, or whose store is gone, should also
/// learn this before the next write. A database that does not answer at all is reported as trouble
/// too, although no call fails.
public final class StoreWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Duration SILENCE = Duration.ofSeconds(15);

    private final SqlJournal journal;
    private final Duration silence;
    private final Consumer<Throwable> onDeath;
    private final CountDownLatch closing = new CountDownLatch(1);

    public StoreWatch(SqlJournal journal, Consumer<Throwable> onDeath) {
        this(journal, onDeath, SILENCE);
    }

    /// @param silence how long the store may take to answer
    StoreWatch(SqlJournal journal, Consumer<Throwable> onDeath, Duration silence) {
        this.journal = journal;
        this.silence = silence;
        this.onDeath = onDeath;
    }

    public void start() {
        Thread.ofPlatform().name("store-watch").daemon().start(this::run);
    }

    /// What is wrong while the store does not answer; empty if it does.
    public String trouble() {
        var since = Duration.ofNanos(System.nanoTime() - journal.oursAt());
        return since.compareTo(silence) > 0
                ? "the store has not answered for " + since.toSeconds() + " seconds"
                : "";
    }

    @Override
    public void close() {
        closing.countDown();
    }

    private void run() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - journal.oursAt() >= EVERY.toNanos()) {
                    journal.look();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            if (closing.getCount() > 0) {
                LOG.error("this server no longer owns the journal", broken);
                onDeath.accept(broken);
            }
        }
    }
}
