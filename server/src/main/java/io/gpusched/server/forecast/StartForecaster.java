package io.gpusched.server.forecast;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.forecast.ModelRuntimes;
import io.gpusched.core.forecast.QueueForecast;
import io.gpusched.core.forecast.RuntimeSource;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.forecast.StartForecast;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.view.StartTimes;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Estimates when waiting jobs start, over and over, and keeps count of how often it was right.
///
/// No request waits for it: readers get what was published last. Each cycle copies the ledger on
/// the thread that answers questions, without jobs that have ended. Of very many waiting jobs only
/// the first in the queue are copied and run ahead for; how long the others will wait is derived
/// from those, which is rougher ([QueueForecast]).
public final class StartForecaster implements Follower.BatchListener, StartTimes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartForecaster.class);

    private static final int RUNS = 30;
    private static final int MOST_WAITING = 5_000;

    /// A round rests so many times as long as it took, at least.
    private static final int REST = 20;

    private static final long MOST_STEPS = 20_000;

    /// All that a round begins from.
    private record Taken(StateImage image, ModelCopies.Copy model, String policy) {}

    /// Who waits, whoever it is.
    private record Crowd(
            List<Job> waiting,
            Map<TenantId, Double> weights,
            ModelCopies.Copy model,
            String policy) {}

    /// What a round found: for some a forecast of their own, for the others a rough one.
    private record Found(Map<JobId, StartEstimate> starts, QueueForecast.@Nullable Beyond beyond) {}

    private static final Found NOTHING = new Found(Map.of(), null);

    private final EngineSettings settings;
    private final Duration pause;
    private final int mostWaiting;
    private final InstantSource clock;
    private final ModelCopies copies;
    private final EstimateFile file;
    private final StartEstimates startEstimates = new StartEstimates();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Found found = NOTHING;
    private long rounds;
    private long written;
    private RuntimeModel model = new RuntimeModel();
    private long modelVersion = -1;
    private @Nullable Thread thread;

    /// @param pause between two rounds; zero to estimate nothing
    /// @param folder where is kept what came of estimates, for the next start
    public StartForecaster(
            EngineSettings settings,
            Duration pause,
            InstantSource clock,
            ModelCopies copies,
            Path folder) {
        this(settings, pause, clock, copies, folder, MOST_WAITING);
    }

    /// @param mostWaiting jobs that are run ahead for
    StartForecaster(
            EngineSettings settings,
            Duration pause,
            InstantSource clock,
            ModelCopies copies,
            Path folder,
            int mostWaiting) {
        this.mostWaiting = mostWaiting;
        this.settings = settings.with(PredictionSettings.NONE);
        this.pause = pause;
        this.clock = clock;
        this.copies = copies;
        this.file = new EstimateFile(folder.resolve("promises"));
    }

    /// Goes on with what came of estimates before the server was started.
    ///
    /// @param present before anything changes in it
    public void resume(ClusterView present) {
        StartEstimates.Image kept = pause.isZero() ? null : file.read();
        if (kept != null) {
            startEstimates.resume(kept, present::job);
        }
    }

    public void start(Follower follower) {
        if (!pause.isZero()) {
            thread = Thread.ofPlatform().name("outlook").daemon().start(() -> run(follower));
        }
    }

    @Override
    public @Nullable StartEstimate of(JobId job) {
        Instant now = clock.instant();
        StartEstimate found = found(job, now);
        return found == null ? null : found.from(now);
    }

    @Override
    public boolean isDue(JobId job) {
        Instant now = clock.instant();
        StartEstimate found = found(job, now);
        return found != null && found.middle() != null && !found.middle().isAfter(now);
    }

    private @Nullable StartEstimate found(JobId job, Instant now) {
        Found last = found;
        StartEstimate startEstimate = last.starts.get(job);
        StartEstimate rough =
                startEstimate == null && last.beyond != null ? last.beyond.of(job) : null;
        return rough == null ? startEstimate : startEstimates.corrected(rough, now);
    }

    @Override
    public boolean isRough(JobId job) {
        Found last = found;
        return !last.starts.containsKey(job) && last.beyond != null;
    }

    /// Of the jobs that started, the part that did so within the range they were first given.
    public double coverage() {
        return startEstimates.coverage();
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event event :
                Stream.concat(batch.facts().stream(), batch.decided().stream()).toList()) {
            if (event instanceof Event.AttemptPlaced placed) {
                startEstimates.started(placed.attempt().job(), placed.at());
            } else if (event instanceof Event.JobEnded ended) {
                startEstimates.gone(ended.job());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            if (thread != null && thread.join(Duration.ofSeconds(5))) {
                keep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Follower follower) {
        try {
            long rest = pause.toMillis();
            while (!closed.await(rest, TimeUnit.MILLISECONDS)) {
                long began = System.nanoTime();
                look(follower);
                keep();
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                rest = Math.max(pause.toMillis(), REST * took);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Writes down what came of estimates, if anything did.
    void keep() {
        long version = startEstimates.version();
        if (version != written) {
            written = file.write(startEstimates.image()) ? version : written;
        }
    }

    /// A round that fails is a round without estimates; the scheduler goes on.
    void look(Follower follower) {
        try {
            startEstimates.roundBegins();
            long waiting = follower.view().waitingJobs();
            if (waiting == 0) {
                found = NOTHING;
            } else {
                found = waiting > mostWaiting ? ofMany(follower) : ahead(follower);
            }
        } catch (CellUnavailable busy) {
            LOG.debug("no outlook this time", busy);
        } catch (RuntimeException e) {
            LOG.warn("no outlook this time", e);
            found = NOTHING;
        }
    }

    private Found ahead(Follower follower) {
        Instant now = clock.instant();
        Taken taken =
                follower.ask(
                        engine ->
                                new Taken(
                                        StateImage.ahead(
                                                engine.state(), engine.lastBatch(), job -> true),
                                        copies.of(engine),
                                        engine.policy().name()));
        know(taken.model);
        return new Found(startEstimates.told(run(taken, runtimes(now), now), now), null);
    }

    /// Nobody else has this copy of the model, and runs ahead do not change it.
    private void know(ModelCopies.Copy copy) {
        if (copy.version() != modelVersion) {
            model = RuntimeModel.restored(copy.image());
            modelVersion = copy.version();
        }
    }

    private RuntimeSource runtimes(Instant now) {
        return new ModelRuntimes(model, settings.assumedRuntime(), now);
    }

    private Map<JobId, StartEstimate> run(Taken taken, RuntimeSource runtimeSource, Instant now) {
        var startForecast =
                new StartForecast(
                        () -> policy(taken.policy), settings, runtimeSource, RUNS, MOST_STEPS);
        return startForecast.from(taken.image, model, now, rounds++);
    }

    private Found ofMany(Follower follower) {
        Instant now = clock.instant();
        Crowd crowd = follower.ask(this::crowd);
        know(crowd.model);
        RuntimeSource runtimeSource = runtimes(now);
        var line =
                QueueForecast.of(
                        crowd.waiting,
                        policy(crowd.policy).order(),
                        tenant -> crowd.weights.getOrDefault(tenant, 1.0),
                        runtimeSource);
        Set<JobId> first = new HashSet<>();
        line.first(mostWaiting).forEach(job -> first.add(job.id()));
        StateImage image =
                follower.ask(
                        engine ->
                                StateImage.ahead(
                                        engine.state(),
                                        engine.lastBatch(),
                                        job -> first.contains(job.id())));
        Map<JobId, StartEstimate> near =
                run(new Taken(image, crowd.model, crowd.policy), runtimeSource, now);
        QueueForecast.Beyond beyond = line.beyond(near, now);
        Map<JobId, StartEstimate> told = startEstimates.told(near, now);
        if (beyond != null) {
            startEstimates.promise(line, beyond, now);
        }
        return new Found(told, beyond);
    }

    private Crowd crowd(Engine engine) {
        var waiting = new ArrayList<Job>();
        engine.state().jobs().forEachWaiting(waiting::add);
        var weights = new HashMap<TenantId, Double>();
        engine.state().tenants().forEach(tenant -> weights.put(tenant.id(), tenant.weight()));
        return new Crowd(waiting, weights, copies.of(engine), engine.policy().name());
    }

    private Policy policy(String name) {
        return Objects.requireNonNull(Policies.named(name, settings.policy()));
    }
}
