package io.gpusched.server.live;

import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Wakes the listeners that may have news, at most once in [#BETWEEN]. The first event after a
/// quiet time is passed on at once.
///
/// It looks at every new event once and collects the tenants that may see it, so that listeners of
/// other tenants sleep on. A listener that has slept for many events is woken nevertheless, so that
/// it moves on before the ring overwrites its place.
final class Notifier implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofMillis(100);

    /// How far behind a listener may sleep.
    private static final long MOST_BEHIND = 8192;

    private final EventFeed feed;
    private final Thread thread =
            Thread.ofPlatform().name("live-events").daemon().unstarted(this::run);
    private volatile boolean isIdle;
    private volatile boolean isSignalled;
    private volatile boolean isClosed;
    private long seen;

    Notifier(EventFeed feed) {
        this.feed = feed;
    }

    void start() {
        thread.start();
    }

    /// There may be new events. Costs little: the thread is only woken if it has nothing to do.
    void signal() {
        isSignalled = true;
        if (isIdle) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!isClosed) {
            awaitSignal();
            isSignalled = false;
            wakeListeners();
            pause();
        }
    }

    private void awaitSignal() {
        isIdle = true;
        while (!isSignalled && !isClosed) {
            LockSupport.park(this);
        }
        isIdle = false;
    }

    private void pause() {
        long until = System.nanoTime() + BETWEEN.toNanos();
        for (long left = BETWEEN.toNanos();
                left > 0 && !isClosed;
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void wakeListeners() {
        EventRing ring = feed.ring();
        long end = ring.end();
        boolean isForAll = false;
        Set<TenantId> tenants = new HashSet<>();
        for (; seen < end && !isForAll; seen++) {
            LiveEvent event = ring.get(seen);
            TenantId tenant = event == null ? null : event.about().tenant();
            isForAll = event == null || event.about().isShared();
            if (tenant != null) {
                tenants.add(tenant);
            }
        }
        seen = end;
        for (Subscription one : feed.listeners()) {
            TenantId reader = one.selection().reader();
            if (isForAll
                    || reader == null
                    || tenants.contains(reader)
                    || one.behind() > MOST_BEHIND) {
                one.wake();
            }
        }
    }
}
