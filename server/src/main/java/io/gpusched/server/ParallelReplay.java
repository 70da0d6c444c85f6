package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/// Replays the journal into a second engine on a thread of its own, so that a restart takes as long
/// as one replay and not as two.
final class ParallelReplay implements AutoCloseable {
    /// How many steps the second engine may be behind; a batch with large payloads counts as many.
    private static final int AHEAD = 256;

    private static final long PAYLOAD_OF_A_STEP = 1 << 16;

    private final Engine engine;
    private final BlockingQueue<Runnable> steps = new ArrayBlockingQueue<>(AHEAD);
    private final Semaphore ahead = new Semaphore(AHEAD);
    private final Thread thread;
    private boolean ended;
    private volatile @Nullable RuntimeException broken;

    ParallelReplay(Engine engine) {
        this.engine = engine;
        this.thread = Thread.ofPlatform().name("replay-beside").daemon().start(this::run);
    }

    void apply(Batch batch) {
        int weight = weight(batch);
        ahead.acquireUninterruptibly(weight);
        put(
                () -> {
                    try {
                        engine.apply(batch);
                    } finally {
                        ahead.release(weight);
                    }
                });
    }

    private static int weight(Batch batch) {
        long payload = 0;
        for (Event event : batch.facts()) {
            if (event instanceof Event.JobSubmitted submitted) {
                payload += submitted.spec().payload().size();
            }
        }
        return (int) Math.min(AHEAD, 1 + payload / PAYLOAD_OF_A_STEP);
    }

    /// Waits until every batch is applied. Throws the first exception of the second engine, if
    /// there was one.
    @Override
    public void close() {
        put(() -> ended = true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RuntimeException why = broken;
        if (why != null) {
            throw why;
        }
    }

    private void put(Runnable step) {
        try {
            steps.put(step);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading the journal", e);
        }
    }

    /// After a failure the thread drops the remaining steps, so that the reader of the journal does
    /// not block.
    private void run() {
        try {
            while (!ended) {
                Runnable step = steps.take();
                try {
                    step.run();
                } catch (RuntimeException e) {
                    broken = broken == null ? e : broken;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
