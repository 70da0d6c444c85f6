package io.gpusched.server.whatif;

import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.WhatIf;
import io.gpusched.sim.whatif.WhatIfQuestion;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;

/// Runs what-ifs: replays the stored journal under another policy, on a thread of low priority.
/// Only one runs at a time; further ones are refused. The last results are kept until the process
/// ends.
public final class WhatIfService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WhatIfService.class);
    private static final int KEPT = 20;
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final Supplier<StoredHistory> histories;
    private final SchedulerConfig.Known configs;
    private final InstantSource clock;
    private final ArrayDeque<WhatIfRun> all = new ArrayDeque<>();
    private @Nullable Thread thread;
    private long started;

    /// @param histories opens the journal as it is at the time of a what-if
    public WhatIfService(
            Supplier<StoredHistory> histories, SchedulerConfig.Known configs, InstantSource clock) {
        this.histories = histories;
        this.configs = configs;
        this.clock = clock;
    }

    /// Starts a what-if; null if another one is running.
    @SuppressWarnings("ThreadPriorityCheck") // A hint that the system may ignore.
    public synchronized @Nullable WhatIfRun ask(WhatIfQuestion whatIfQuestion) {
        WhatIfRun last = all.peekLast();
        if (last != null && last.state() == WhatIfRun.State.RUNNING) {
            return null;
        }
        var whatIfRun = new WhatIfRun("whatif-" + ++started, whatIfQuestion, clock.instant());
        all.addLast(whatIfRun);
        if (all.size() > KEPT) {
            all.removeFirst();
        }
        thread =
                Thread.ofPlatform()
                        .name("what-if")
                        .priority(Thread.MIN_PRIORITY)
                        .daemon()
                        .start(() -> answer(whatIfRun));
        return whatIfRun;
    }

    /// The recent what-ifs, newest first.
    public synchronized List<WhatIfRun> all() {
        return List.copyOf(all).reversed();
    }

    public synchronized @Nullable WhatIfRun find(String id) {
        return all.stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
    }

    /// Cancels a what-if that is running, or deletes its result.
    public synchronized void drop(WhatIfRun whatIfRun) {
        whatIfRun.cancel();
        if (whatIfRun.state() != WhatIfRun.State.RUNNING) {
            all.remove(whatIfRun);
        }
    }

    private void answer(WhatIfRun whatIfRun) {
        try {
            StoredHistory history = histories.get();
            double batches = 2.0 * Math.max(1, history.head());
            WhatIf.Watcher watcher =
                    (batch, events, second) ->
                            whatIfRun.reached((batch + (second ? history.head() : 0)) / batches);
            whatIfRun.answered(
                    new WhatIf(history, whatIfRun.whatIfQuestion(), configs, watcher).answer());
        } catch (WhatIf.Stopped stopped) {
            whatIfRun.cancelled();
        } catch (InvalidWhatIf e) {
            whatIfRun.failed(String.valueOf(e.getMessage()));
        } catch (Throwable broken) {
            LOG.warn("{} failed", whatIfRun.id(), broken);
            whatIfRun.failed("the replay failed: " + broken);
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            all.forEach(WhatIfRun::cancel);
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
