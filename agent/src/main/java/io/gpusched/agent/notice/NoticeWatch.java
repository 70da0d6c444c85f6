package io.gpusched.agent.notice;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Reads the source of notices every two seconds, on a thread of its own, so that a provider that
/// does not answer delays nothing else. While the source fails, the last announcement stands.
public final class NoticeWatch implements Notices, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NoticeWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final NoticeSource source;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Announcement announced;
    private @Nullable String lastProblem;

    public NoticeWatch(NoticeSource source) {
        this.source = source;
    }

    public void start() {
        Thread.ofVirtual().name("notices").start(this::run);
    }

    @Override
    public void close() {
        closing.countDown();
    }

    @Override
    public @Nullable Announcement announced() {
        return announced;
    }

    private void run() {
        try {
            do {
                look();
            } while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        try {
            Announcement found = source.read();
            if (!Objects.equals(found, announced)) {
                log.warn(
                        found == null
                                ? "the notice that this machine will be taken away was withdrawn"
                                : "this machine will be taken away at " + found.at());
            }
            announced = found;
            lastProblem = null;
        } catch (IOException e) {
            if (!Objects.equals(e.toString(), lastProblem)) {
                log.warn("cannot read whether this machine will be taken away: {}", e.toString());
                lastProblem = e.toString();
            }
        }
    }
}
