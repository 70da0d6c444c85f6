package io.gpusched.server.cell;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.server.view.Tries;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/// A second engine, fed by durable batches on a thread of its own. It publishes what readers see
/// and answers questions that take a whole engine, so that the cell's thread does nothing but
/// decide.
///
/// Its queue is as short as the number of batches that may be in flight, and of questions being
/// asked. A question may take long, and everybody's answers leave through here: so between two
/// questions all that has arrived is applied and let out, and only a few may wait.
public final class Follower implements Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

    private sealed interface Step {
        record Apply(Batch batch, Conclusion conclusion) implements Step {}

        /// A round that recorded nothing, but found out why jobs wait.
        record Tried(Conclusion conclusion) implements Step {}

        /// `action` runs once the view of batch `after` is published.
        record Release(long after, Runnable action) implements Step {}

        record Look(Consumer<Engine> at) implements Step {}

        record Stop() implements Step {}
    }

    /// Hears of every batch that was applied, on the follower's thread.
    public interface Audience {
        void applied(Batch batch, Conclusion conclusion, Engine engine);
    }

    static final int MOST_QUESTIONS = 32;

    private final Engine engine;
    private final ViewMaker maker;
    private final List<Audience> audience;
    private final Consumer<Throwable> onDeath;
    private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.ofPlatform().name("follower").unstarted(this::run);
    private final List<Step.Release> releases = new ArrayList<>();
    private final ArrayDeque<Step.Look> looks = new ArrayDeque<>();
    private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
    private volatile View view;
    private boolean stopped;

    public Follower(Engine engine, List<Audience> audience, Consumer<Throwable> onDeath) {
        this.engine = engine;
        this.maker = new ViewMaker(engine);
        this.audience = List.copyOf(audience);
        this.onDeath = onDeath;
        this.view = maker.view(engine);
    }

    public void start() {
        thread.start();
    }

    /// What is published now.
    public View view() {
        return view;
    }

    /// Why waiting jobs wait, as far as they were tried.
    public Tries tries() {
        return maker.tries();
    }

    @Override
    public void concluded(Batch batch, Conclusion conclusion) {
        steps.add(new Step.Apply(batch, conclusion));
    }

    @Override
    public void nothingChanged(Conclusion conclusion) {
        steps.add(new Step.Tried(conclusion));
    }

    /// Runs `action` on the follower's thread when batch `after` and all before this call are
    /// published.
    void release(long after, Runnable action) {
        steps.add(new Step.Release(after, action));
    }

    /// Asks the engine something that changes nothing, and waits for the answer.
    public <T> T ask(Function<Engine, T> question) {
        if (!questions.tryAcquire()) {
            throw new Unavailable(
                    MOST_QUESTIONS + " questions are waiting to be answered already", false);
        }
        try {
            return answer(question);
        } finally {
            questions.release();
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

    /// Ends after everything that was handed in before.
    @Override
    public void close() {
        steps.add(new Step.Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether at least so many steps wait to be taken.
    boolean hasSteps(int many) {
        return steps.size() >= many;
    }

    private void run() {
        try {
            while (!stopped) {
                var arrived = new ArrayList<Step>();
                if (looks.isEmpty()) {
                    arrived.add(steps.take());
                }
                steps.drainTo(arrived);
                follow(arrived);
            }
            looks.forEach(look -> look.at().accept(engine));
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
                case Step.Tried tried -> maker.tried(tried.conclusion());
                case Step.Release release -> releases.add(release);
                case Step.Look look -> looks.add(look);
                case Step.Stop stop -> stopped = true;
            }
        }
        if (engine.lastBatch() > before) {
            view = maker.view(engine);
        }
        releases.removeIf(this::released);
        Step.Look look = looks.poll();
        if (look != null) {
            look.at().accept(engine);
        }
    }

    private void apply(Step.Apply step) {
        maker.before(step.batch(), engine);
        engine.apply(step.batch());
        maker.after(engine, step.conclusion());
        for (Audience one : audience) {
            one.applied(step.batch(), step.conclusion(), engine);
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
