package io.gpusched.server.whatif;

import io.gpusched.sim.whatif.BadQuestion;
import io.gpusched.sim.whatif.Question;
import io.gpusched.sim.whatif.Way;
import io.gpusched.sim.whatif.WhatIf;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;

/// Answers questions about the past, one at a time, on a thread of low priority, from the store.
/// Who asks meanwhile is sent away; the last few answers are kept until the process ends.
public final class WhatIfDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WhatIfDesk.class);
    private static final int KEPT = 20;
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final Supplier<StoredHistory> histories;
    private final Way.Known ways;
    private final InstantSource clock;
    private final ArrayDeque<Asking> all = new ArrayDeque<>();
    private @Nullable Thread thread;
    private long asked;

    /// @param histories gives the journal as it is when it is asked about
    public WhatIfDesk(Supplier<StoredHistory> histories, Way.Known ways, InstantSource clock) {
        this.histories = histories;
        this.ways = ways;
        this.clock = clock;
    }

    /// Begins to answer; null when another question is being answered.
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it; where it is heeded, so good.
    public synchronized @Nullable Asking ask(Question question) {
        Asking last = all.peekLast();
        if (last != null && last.state() == Asking.State.RUNNING) {
            return null;
        }
        var asking = new Asking("whatif-" + ++asked, question, clock.instant());
        all.addLast(asking);
        if (all.size() > KEPT) {
            all.removeFirst();
        }
        thread =
                Thread.ofPlatform()
                        .name("what-if")
                        .priority(Thread.MIN_PRIORITY)
                        .daemon()
                        .start(() -> answer(asking));
        return asking;
    }

    /// What was asked lately, the newest first.
    public synchronized List<Asking> all() {
        return List.copyOf(all).reversed();
    }

    public synchronized @Nullable Asking find(String id) {
        return all.stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
    }

    /// Stops answering, or forgets the answer.
    public synchronized void drop(Asking asking) {
        asking.cancel();
        if (asking.state() != Asking.State.RUNNING) {
            all.remove(asking);
        }
    }

    private void answer(Asking asking) {
        try {
            StoredHistory history = histories.get();
            double batches = 2.0 * Math.max(1, history.head());
            WhatIf.Watcher watcher =
                    (batch, events, second) ->
                            asking.reached((batch + (second ? history.head() : 0)) / batches);
            asking.answered(new WhatIf(history, asking.question(), ways, watcher).answer());
        } catch (WhatIf.Stopped stopped) {
            asking.cancelled();
        } catch (BadQuestion e) {
            asking.failed(String.valueOf(e.getMessage()));
        } catch (Throwable broken) {
            LOG.warn("the question {} has no answer", asking.id(), broken);
            asking.failed("it could not be answered: " + broken);
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            all.forEach(Asking::cancel);
            running = thread;
        }
        try {
            if (running != null) {
                running.join(FAREWELL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
