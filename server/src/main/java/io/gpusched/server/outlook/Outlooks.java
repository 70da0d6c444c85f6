package io.gpusched.server.outlook;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.Predictions;
import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.JobId;
import io.gpusched.core.outlook.LearnedRuntimes;
import io.gpusched.core.outlook.Outlook;
import io.gpusched.core.outlook.Start;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Unavailable;
import io.gpusched.server.view.Starts;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Estimates when waiting jobs start, over and over, and keeps count of how often it was right.
///
/// Nobody waits for it: readers get what was published last. Each round takes a copy of the ledger
/// from the follower, which holds everybody up for as long as copying takes, so a ledger with very
/// many waiting jobs is not copied, and its jobs have no estimate.
public final class Outlooks implements Follower.Audience, Starts, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outlooks.class);

    private static final int RUNS = 30;
    private static final long MOST_WAITING = 5_000;
    private static final long MOST_STEPS = 20_000;

    /// All that a round begins from.
    private record Taken(StateImage image, ModelImage model, String policy) {}

    private final EngineSettings settings;
    private final Duration pause;
    private final InstantSource clock;
    private final Promises promises = new Promises();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Map<JobId, Start> starts = Map.of();
    private long rounds;
    private @Nullable Thread thread;

    /// @param pause between two rounds; zero to estimate nothing
    public Outlooks(EngineSettings settings, Duration pause, InstantSource clock) {
        // A run ahead learns nothing: what it draws is what was learned.
        this.settings = settings.with(Predictions.NONE);
        this.pause = pause;
        this.clock = clock;
    }

    public void start(Follower follower) {
        if (!pause.isZero()) {
            thread = Thread.ofPlatform().name("outlook").daemon().start(() -> run(follower));
        }
    }

    @Override
    public @Nullable Start of(JobId job) {
        return starts.get(job);
    }

    /// Of the jobs that started, the part that did so within the range they were first given.
    public double coverage() {
        return promises.coverage();
    }

    @Override
    public void applied(Batch batch, Conclusion conclusion, Engine engine) {
        for (Event event :
                Stream.concat(batch.facts().stream(), batch.decided().stream()).toList()) {
            if (event instanceof Event.AttemptPlaced placed) {
                promises.started(placed.attempt().job(), placed.at());
            } else if (event instanceof Event.JobEnded ended) {
                promises.gone(ended.job());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Follower follower) {
        try {
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                look(follower);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A round that fails is a round without estimates; the scheduler goes on.
    private void look(Follower follower) {
        try {
            long waiting = follower.view().waitingJobs();
            starts = waiting == 0 || waiting > MOST_WAITING ? Map.of() : ahead(follower);
        } catch (Unavailable busy) {
            LOG.debug("no outlook this time", busy);
        } catch (RuntimeException e) {
            LOG.warn("no outlook this time", e);
            starts = Map.of();
        }
    }

    private Map<JobId, Start> ahead(Follower follower) {
        Instant now = clock.instant();
        Taken taken =
                follower.ask(
                        engine ->
                                new Taken(
                                        engine.image(),
                                        engine.learner().model().image(),
                                        engine.policy().name()));
        var runtimes =
                new LearnedRuntimes(
                        RuntimeModel.restored(taken.model), settings.assumedRuntime(), now);
        var outlook = new Outlook(() -> policy(taken.policy), settings, runtimes, RUNS, MOST_STEPS);
        return promises.told(outlook.from(taken.image, now, rounds++), now);
    }

    private Policy policy(String name) {
        return Objects.requireNonNull(Policies.named(name, settings.policy()));
    }
}
