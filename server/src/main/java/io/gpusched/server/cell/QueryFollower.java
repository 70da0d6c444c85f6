package io.gpusched.server.cell;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// A third engine, on a thread of its own, for work that takes long: explanations, previews, copies
/// of the whole state for forecasts, and snapshots. The [Follower] passes every batch on before it
/// publishes the view, so a query always sees at least what its caller has read; but no answer of
/// the cell waits for a query.
///
/// Between two queries it applies all batches that have arrived, and pauses for as long as the last
/// query took. Many queries therefore use half a processor at most, which matters on a machine with
/// two of them. Only a few queries may wait; further ones are refused. If this engine falls very
/// far behind, the follower waits for it, so that the memory of unapplied batches is bounded. That
/// happens only if a single query takes seconds under full load.
public final class QueryFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueryFollower.class);

    static final int MOST_QUERIES = 32;

    /// Events that may wait to be applied.
    private static final int MOST_BEHIND = 100_000;

    /// The longest pause after a query.
    private static final Duration LONGEST_REST = Duration.ofMillis(50);

    private sealed interface Step {
        record Apply(Batch batch, CycleResult cycleResult) implements Step {
            /// Clamped, because a single batch may be larger than the bound.
            int weight() {
                return Math.clamp(batch.size(), 1, MOST_BEHIND);
            }
        }

        record Look(Consumer<Engine> at) implements Step {}

        record Stop() implements Step {}
    }

    private @Nullable Supplier<Engine> start;
    private final List<Follower.BatchListener> listeners;
    private final Consumer<Throwable> onDeath;
    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final ArrayDeque<Step.Look> looks = new ArrayDeque<>();
    private final Semaphore waiting = new Semaphore(MOST_QUERIES);
    private final Semaphore room = new Semaphore(MOST_BEHIND);
    private final Thread thread = Thread.ofPlatform().name("queries").unstarted(this::run);
    private volatile boolean dead;
    private boolean stopped;
    private long restsUntil = System.nanoTime();

    /// @param start makes the engine, on this follower's thread, so that the start of the server
    ///        does not wait for it; batches that arrive meanwhile are applied afterwards
    /// @param listeners receive every batch on this follower's thread, and may take long
    public QueryFollower(
            Supplier<Engine> start,
            List<Follower.BatchListener> listeners,
            Consumer<Throwable> onDeath) {
        this.start = start;
        this.listeners = List.copyOf(listeners);
        this.onDeath = onDeath;
    }

    void start() {
        thread.start();
    }

    /// Queues the next batch. Called by one thread, which blocks only when too many events wait.
    void follow(Batch batch, CycleResult cycleResult) {
        var apply = new Step.Apply(batch, cycleResult);
        if (!dead) {
            room.acquireUninterruptibly(apply.weight());
        }
        steps.add(apply);
    }

    /// Runs a read-only query on the engine and waits for the result.
    <T> T ask(Function<Engine, T> question) {
        if (!waiting.tryAcquire()) {
            throw new CellUnavailable(MOST_QUERIES + " queries are waiting already", false);
        }
        try {
            return answer(question);
        } finally {
            waiting.release();
        }
    }

    private <T> T answer(Function<Engine, T> question) {
        var answer = new CompletableFuture<T>();
        steps.add(
                new Step.Look(
                        at -> {
                            try {
                                answer.complete(question.apply(at));
                            } catch (RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        }));
        return answer.join();
    }

    /// Ends after everything that was queued before.
    @Override
    public void close() {
        steps.add(new Step.Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            Engine engine = engine();
            while (!stopped) {
                var arrived = new ArrayList<Step>();
                Step first =
                        looks.isEmpty()
                                ? steps.take()
                                : steps.poll(restsUntil - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (first != null) {
                    arrived.add(first);
                }
                steps.drainTo(arrived);
                follow(arrived, engine);
            }
            looks.forEach(look -> look.at().accept(engine));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            LOG.error("the query follower has stopped", broken);
            onDeath.accept(broken);
        } finally {
            dead = true;
            room.release(MOST_BEHIND);
        }
    }

    /// Makes the engine and drops the supplier, which holds a copy of the whole state.
    private Engine engine() {
        Supplier<Engine> once = Objects.requireNonNull(start);
        start = null;
        return once.get();
    }

    private void follow(List<Step> arrived, Engine engine) {
        for (Step step : arrived) {
            switch (step) {
                case Step.Apply apply -> apply(apply, engine);
                case Step.Look look -> looks.add(look);
                case Step.Stop stop -> stopped = true;
            }
        }
        long began = System.nanoTime();
        Step.Look look = began - restsUntil >= 0 ? looks.poll() : null;
        if (look != null) {
            look.at().accept(engine);
            long ended = System.nanoTime();
            restsUntil = ended + Math.min(ended - began, LONGEST_REST.toNanos());
        }
    }

    private void apply(Step.Apply step, Engine engine) {
        engine.apply(step.batch());
        room.release(step.weight());
        for (Follower.BatchListener one : listeners) {
            one.applied(step.batch(), step.cycleResult(), engine);
        }
    }
}
