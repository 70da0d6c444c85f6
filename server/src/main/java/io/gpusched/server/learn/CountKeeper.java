package io.gpusched.server.learn;

import io.gpusched.core.event.Command;
import io.gpusched.core.learn.Tally;
import io.gpusched.server.cell.Inlet;
import io.gpusched.server.cell.Unavailable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Has the counts of choices recorded now and then, and once more at the end: the cap holds beyond
/// a restart, and a score costs no event. What was counted since the last time is lost when the
/// process is killed.
public final class CountKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CountKeeper.class);
    private static final Duration EVERY = Duration.ofMillis(500);

    private final ScoreDesk desk;
    private final Inlet inlet;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("score-counts").unstarted(this::run);
    private Tally recorded;

    public CountKeeper(ScoreDesk desk, Inlet inlet) {
        this.desk = desk;
        this.inlet = inlet;
        this.recorded = desk.tally();
    }

    public void start() {
        thread.start();
    }

    /// Records what is left to be recorded.
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                record();
            }
            record();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void record() {
        Tally now = desk.tally();
        long total = now.total() - recorded.total();
        // A choice may be counted in one reading and its exploring in the next.
        long explored = Math.min(total, now.explored() - recorded.explored());
        if (total == 0) {
            return;
        }
        try {
            inlet.ask(new Command.CountScores(total, explored));
            recorded = recorded.and(total, explored);
        } catch (Unavailable e) {
            LOG.warn("{} scores could not be recorded yet: {}", total, e.getMessage());
        }
    }
}
