package io.gpusched.operator.pods;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs blocking calls on virtual threads, a bounded number at a time; the others wait in the order
/// in which they came. An API server binds a few hundred pods per second: more requests at a time
/// would only wait there.
///
/// The queue is as long as its users have tasks that wait; each task has one call at most.
public final class CallWindow implements AutoCloseable {
    private final String name;
    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final ScheduledExecutorService timer;
    private int running;
    private boolean closed;

    public CallWindow(String name, int most) {
        this.name = name;
        this.most = most;
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name(name + "-timer").daemon().factory());
    }

    public synchronized void run(Runnable call) {
        if (closed) {
            return;
        }
        if (running < most) {
            running++;
            begin(call);
        } else {
            waiting.add(call);
        }
    }

    public void after(Duration delay, Runnable call) {
        try {
            var _ = timer.schedule(() -> run(call), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed: nothing is to be done any more.
        }
    }

    /// Calls that run or wait.
    public synchronized int size() {
        return running + waiting.size();
    }

    private void begin(Runnable call) {
        Thread.ofVirtual().name(name).start(() -> runAndGoOn(call));
    }

    private void runAndGoOn(Runnable call) {
        try {
            call.run();
        } finally {
            next();
        }
    }

    private synchronized void next() {
        Runnable call = closed ? null : waiting.poll();
        if (call == null) {
            running--;
        } else {
            begin(call);
        }
    }

    /// Begins no more calls. Those that run come to their end.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        timer.shutdownNow();
    }
}
