package io.gpusched.server.cell;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.server.view.LatestTurns;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/// A second engine that applies the durable batches on a thread of its own. It publishes the views
/// that requests read and releases the answers of the cell, so that the cell's thread only decides.
///
/// Answers are released by this thread, so nothing that may take long runs on it: queries that need
/// a whole engine go to the [QueryFollower]. The queue is no longer than the number of batches that
/// may be in flight.
public final class Follower implements Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

    private sealed interface Step {
        record Apply(Batch batch, CycleResult cycleResult) implements Step {}

        /// A cycle that recorded nothing, but found why jobs wait.
        record Tried(CycleResult cycleResult) implements Step {}

        /// `action` runs once the view of batch `after` is published.
        record Release(long after, Runnable action) implements Step {}

        record Stop() implements Step {}
    }

    /// Receives every batch after it was applied, on the follower's thread.
    public interface BatchListener {
        void applied(Batch batch, CycleResult cycleResult, Engine engine);

        /// Receives the result of a cycle that recorded nothing.
        default void tried(CycleResult cycleResult) {}

        /// The view of all batches that were received is published now.
        default void published() {}
    }

    private final Engine engine;
    private final ViewMaker maker;
    private final QueryFollower queries;
    private final List<BatchListener> listeners;
    private final Consumer<Throwable> onDeath;
    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.ofPlatform().name("follower").unstarted(this::run);
    private final List<Step.Release> releases = new ArrayList<>();
    private volatile View view;
    private boolean stopped;

    /// @param queries receives every batch, and is started and closed with this follower
    public Follower(
            Engine engine,
            QueryFollower queries,
            List<BatchListener> listeners,
            Consumer<Throwable> onDeath) {
        this.engine = engine;
        this.queries = queries;
        this.maker = new ViewMaker(engine);
        this.listeners = List.copyOf(listeners);
        this.onDeath = onDeath;
        this.view = maker.view(engine);
    }

    public void start() {
        queries.start();
        thread.start();
    }

    /// The view that is published now.
    public View view() {
        return view;
    }

    /// Why jobs wait, for each job that a cycle has tried to place.
    public LatestTurns latestTurns() {
        return maker.latestTurns();
    }

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        steps.add(new Step.Apply(batch, cycleResult));
    }

    @Override
    public void nothingChanged(CycleResult cycleResult) {
        steps.add(new Step.Tried(cycleResult));
    }

    /// Runs `action` on the follower's thread when batch `after` and all before this call are
    /// published.
    void release(long after, Runnable action) {
        steps.add(new Step.Release(after, action));
    }

    /// Runs a read-only query on an engine and waits for the result. The engine is at least as new
    /// as the published view.
    public <T> T ask(Function<Engine, T> question) {
        return queries.ask(question);
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
        queries.close();
    }

    private void run() {
        try {
            while (!stopped) {
                var arrived = new ArrayList<Step>();
                arrived.add(steps.take());
                steps.drainTo(arrived);
                follow(arrived);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            LOG.error("the follower has stopped", broken);
            onDeath.accept(broken);
        }
    }

    private void follow(List<Step> arrived) {
        long before = engine.lastBatch();
        for (Step step : arrived) {
            switch (step) {
                case Step.Apply apply -> apply(apply);
                case Step.Tried tried -> tried(tried.cycleResult());
                case Step.Release release -> releases.add(release);
                case Step.Stop stop -> stopped = true;
            }
        }
        if (engine.lastBatch() > before) {
            view = maker.view(engine);
            listeners.forEach(BatchListener::published);
        }
        releases.removeIf(this::released);
    }

    private void apply(Step.Apply step) {
        maker.before(step.batch(), engine);
        engine.apply(step.batch());
        maker.after(engine, step.cycleResult());
        for (BatchListener one : listeners) {
            one.applied(step.batch(), step.cycleResult(), engine);
        }
        queries.follow(step.batch(), step.cycleResult());
    }

    private void tried(CycleResult cycleResult) {
        maker.tried(cycleResult, engine);
        for (BatchListener one : listeners) {
            one.tried(cycleResult);
        }
    }

    private boolean released(Step.Release release) {
        if (release.after > engine.lastBatch()) {
            return false;
        }
        release.action.run();
        return true;
    }
}
