package io.gpusched.rl.ppo;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Threads that carry out the numbered parts of a computation.
public final class WorkerThreads implements AutoCloseable {
    private final ExecutorService executor;
    private final int threads;

    public WorkerThreads(int threads) {
        this.threads = threads;
        this.executor =
                Executors.newFixedThreadPool(
                        Math.max(1, threads - 1),
                        Thread.ofPlatform().name("training-", 1).daemon().factory());
    }

    /// One thread for each processor.
    public static WorkerThreads all() {
        return new WorkerThreads(Runtime.getRuntime().availableProcessors());
    }

    /// Carries out the parts 0 to `parts` - 1, each once, on any thread and in any order. It
    /// returns when all are done. The calling thread takes its share of the parts.
    public void run(int parts, IntConsumer part) {
        var next = new AtomicInteger();
        Runnable loop =
                () -> {
                    for (int i = next.getAndIncrement(); i < parts; i = next.getAndIncrement()) {
                        part.accept(i);
                    }
                };
        var others = new ArrayList<Future<?>>();
        for (int i = 1; i < Math.min(threads, parts); i++) {
            others.add(executor.submit(loop));
        }
        try {
            loop.run();
        } finally {
            others.forEach(WorkerThreads::await);
        }
    }

    private static void await(Future<?> other) {
        try {
            other.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while other threads compute", stopped);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
